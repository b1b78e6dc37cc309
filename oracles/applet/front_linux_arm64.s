#include "textflag.h"

// The data: see front.go.
#define PROGRAM    $0x601000
#define STATE      $0x602000
#define AGAIN      $0x602100
#define BUFFER     $0x603000
#define BUFFERSIZE $0x20000

// CALL makes a system call whose other arguments are there already.
#define CALL(number, fd) \
	MOVD number, R8 \
	MOVD fd, R0     \
	SVC

// front is the front from its entry point to the eight bytes of the end mark. It is
// never called: Front copies it. It keeps the place of argc in R19, argc in R20,
// STATE in R21, AGAIN in R22.
TEXT ·front(SB), NOSPLIT|NOFRAME, $0-0
	MOVD RSP, R19
	MOVD 0(R19), R20
	MOVD 8(R19), R9
	MOVD STATE, R21
	MOVD AGAIN, R22
	CBZ  R9, program

	// R10: what follows the last slash of argv[0].
base:
	MOVD R9, R10

next:
	MOVBU (R9), R11
	ADD   $1, R9
	CMP   $47, R11
	BEQ   base
	CBNZ  R11, next

	// Behind the strings of the stack there are eight bytes more at least. The
	// names are put together here since a pool of constants would not be copied.
	MOVWU (R10), R11
	MOVBU 4(R10), R12
	MOVZ  $0x6163, R13
	MOVK  $(0x0074<<16), R13 // cat
	CMP   R13, R11
	BEQ   cat
	MOVZ  $0x7473, R13
	MOVK  $(0x7974<<16), R13 // stty
	CMP   R13, R11
	BEQ   stty
	MOVZ  $0x7274, R13
	MOVK  $(0x6575<<16), R13 // true
	CMP   R13, R11
	BEQ   true
	MOVZ  $0x6166, R13
	MOVK  $(0x736c<<16), R13 // fals
	CMP   R13, R11
	BNE   program
	CMP   $0x65, R12         // e
	BNE   program
	MOVBU 5(R10), R12
	CBNZ  R12, program

failure:
	MOVD $1, R0
	B    exit

true:
	CBNZ R12, program

success:
	MOVD $0, R0

exit:
	MOVD $94, R8
	SVC

stty:
	CBNZ R12, program
	CMP  $2, R20
	BNE  program

	// R23: the bit of echo as it will be.
	MOVD  16(R19), R10
	MOVD  $8, R23
	MOVBU (R10), R11
	CMP   $45, R11
	BNE   word
	ADD   $1, R10
	MOVD  $0, R23

word:
	MOVWU (R10), R11
	MOVBU 4(R10), R12
	MOVZ  $0x6365, R13
	MOVK  $(0x6f68<<16), R13 // echo
	CMP   R13, R11
	BNE   program
	CBNZ  R12, program

	// ioctl(0, TCGETS), ioctl(0, TCSETSW), ioctl(0, TCGETS)
	MOVD  $0x5401, R1
	MOVD  R21, R2
	CALL($29, $0)
	CBNZ  R0, program
	MOVWU 12(R21), R11
	AND   $~8, R11
	ORR   R23, R11
	MOVW  R11, 12(R21)
	MOVD  $0x5403, R1
	MOVD  R21, R2
	CALL($29, $0)
	CBNZ  R0, program
	MOVD  $0x5401, R1
	MOVD  R22, R2
	CALL($29, $0)
	CBNZ  R0, program

	// All 36 bytes have to be as they were set.
	MOVD $9, R9

same:
	MOVWU.P 4(R21), R11
	MOVWU.P 4(R22), R12
	CMP     R11, R12
	BNE     program
	SUB     $1, R9
	CBNZ    R9, same
	B       success

cat:
	CMP $1, R20
	BNE program

	// A file that may be copied onto itself is for the program:
	// fstat(1) and fstat(0).
	MOVD  R21, R1
	CALL($80, $1)
	CBNZ  R0, program
	MOVWU 16(R21), R11
	AND   $0xf000, R11
	MOVD  $0x8000, R12
	CMP   R12, R11
	BNE   read
	MOVD  R22, R1
	CALL($80, $0)
	CBNZ  R0, program
	MOVD  0(R21), R11
	MOVD  0(R22), R12
	CMP   R11, R12
	BNE   read
	MOVD  8(R21), R11
	MOVD  8(R22), R12
	CMP   R11, R12
	BEQ   program

	// Whatever keeps the front from reading keeps the program from it as well.
read:
	MOVD BUFFER, R1
	MOVD BUFFERSIZE, R2
	CALL($63, $0)
	CMN  $4, R0
	BEQ  read
	CBZ  R0, success
	CMP  $0, R0
	BLT  program
	MOVD BUFFER, R24
	MOVD R0, R25

write:
	MOVD R24, R1
	MOVD R25, R2
	CALL($64, $1)
	CMN  $4, R0
	BEQ  write
	CMP  $0, R0
	BLE  full
	ADD  R0, R24
	SUB  R0, R25
	CBNZ R25, write
	B    read

	// What cannot be written is given to the program, by a pipe for standard
	// input, so that it meets the same error: close(0), pipe2(O_NONBLOCK), of
	// which the end to read from gets the lowest number, write, close.
full:
	CALL($57, $0)
	MOVD  $0x800, R1
	CALL($59, R21)
	CBNZ  R0, failure
	MOVWU 4(R21), R20
	MOVD  R24, R1
	MOVD  R25, R2
	CALL($64, R20)
	CALL($57, R20)

program:
	// execve(PROGRAM, argv, envp)
	MOVD 0(R19), R9
	ADD  $8, R19, R1
	ADD  R9<<3, R19, R2
	ADD  $16, R2
	CALL($221, PROGRAM)
	MOVD $127, R0
	B    exit
	UNDEF
	DWORD $0x646e652d65626f72

TEXT ·frontAddress(SB), NOSPLIT, $0-8
	MOVD $·front(SB), R0
	MOVD R0, ret+0(FP)
	RET
