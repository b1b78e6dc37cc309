#include "textflag.h"

// The data page: see layout in image.go.
#define DATA     $0x601000
#define SOCKLEN  128(R19)
#define HEADER   $0x6010a0
#define FLAGS    200(R19)
#define ACTS     208(R19) // a program follows
#define PROGRAM  $0x6010d0
#define STDIN    $0x602000
#define BOUND    $65537

// WRITE sends R21 bytes from R20 to the socket in R22 and leaves for done where
// the other end is gone.
#define WRITE(again, next) \
again:                 \
	CBZ  R21, next     \
	MOVD R22, R0       \
	MOVD R20, R1       \
	MOVD R21, R2       \
	MOVD $64, R8       \
	SVC                \
	CMN  $4, R0        \
	BEQ  again         \
	CMP  $0, R0        \
	BLE  done          \
	ADD  R0, R20       \
	SUB  R0, R21       \
	B    again         \
next:

// code is the probe from its entry point to the eight bytes of the end mark.
// It is never called: Image copies it. It keeps argc in R23, the first byte of
// argv in R25 and the number of its bytes in R24, the socket in R22, the data
// page in R19. The bits of the terminals are in R21 until they are in the header.
TEXT ·code(SB), NOSPLIT|NOFRAME, $0-0
	MOVD DATA, R19
	MOVD RSP, R9
	MOVD 0(R9), R23
	MOVD 8(R9), R25
	MOVD $0, R24

	// The environment lies behind argv. The number is that of its variable
	// ARGDIFF, 0 without one. The constant is "ARGDIFF=", put together here
	// since a pool of constants would not be copied.
	ADD  R23<<3, R9, R10
	ADD  $16, R10
	MOVZ $0x5241, R11
	MOVK $(0x4447<<16), R11
	MOVK $(0x4649<<32), R11
	MOVK $(0x3d46<<48), R11
	MOVD $0, R12

env:
	MOVD.P 8(R10), R13
	CBZ    R13, numbered
	MOVD   (R13), R14
	CMP    R11, R14
	BNE    env

digit:
	MOVBU 8(R13), R14
	ADD   $1, R13
	SUB   $48, R14
	CMP   $9, R14
	BHI   numbered
	ADD   R12<<2, R12
	ADD   R12<<1, R14, R12
	B     digit

numbered:
	MOVD R12, 192(R19)
	CBZ  R23, stdin

	// The kernel lays the argv strings one behind the other, so their end is
	// the end of the last one.
	ADD  R23<<3, R9, R10
	MOVD (R10), R10

last:
	MOVBU (R10), R11
	ADD   $1, R10
	CBNZ  R11, last
	SUB   R25, R10, R24

	// Called as one whose name begins with a colon it reports nothing, but
	// removes the files that its arguments name.
	MOVBU (R25), R11
	CMP   $58, R11
	BNE   stdin
	MOVD  RSP, R20
	ADD   $16, R20

clean:
	MOVD.P 8(R20), R1
	CBZ    R1, sent
	MOVD   $-100, R0
	MOVD   $0, R2
	MOVD   $35, R8
	SVC
	B      clean

stdin:
	// R26: 0 nothing readable, 1 read to its end, 2 cut at the bound.
	// R27: bytes read.
	MOVD $0, R26
	MOVD $0, R27

	// ioctl(TCGETS) of 1, 2 and 0: which of them is a terminal. One that is
	// standard input is left alone.
	MOVD $0, R21
	MOVD $1, R0
	MOVD $0x5401, R1
	MOVD STDIN, R2
	MOVD $29, R8
	SVC
	CBNZ R0, errors
	MOVD $8, R21

errors:
	MOVD $2, R0
	MOVD $0x5401, R1
	MOVD STDIN, R2
	MOVD $29, R8
	SVC
	CBNZ R0, interactive
	ORR  $16, R21

interactive:
	MOVD $0, R0
	MOVD $0x5401, R1
	MOVD STDIN, R2
	MOVD $29, R8
	SVC
	CBNZ R0, redirected
	ORR  $4, R21
	B    connect

	// What a front executes reads by itself.
redirected:
	MOVBU ACTS, R11
	CBNZ  R11, connect

read:
	MOVD $0, R0
	MOVD STDIN, R1
	ADD  R27, R1
	MOVD BOUND, R2
	SUB  R27, R2
	CBZ  R2, cut
	MOVD $63, R8
	SVC
	CMN  $4, R0
	BEQ  read
	CMP  $0, R0
	BLT  failed
	BEQ  eof
	MOVD $1, R26
	ADD  R0, R27
	B    read

eof:
	MOVD $1, R26
	B    connect

cut:
	MOVD $2, R26
	SUB  $1, R27
	B    connect

failed:
	// What was read before the error counts as cut.
	CBZ  R27, connect
	MOVD $2, R26

connect:
	MOVD R23, 160(R19)
	MOVD R24, 168(R19)
	ORR  R21, R26
	MOVD R26, 176(R19)
	MOVD R27, 184(R19)
	MOVBU ACTS, R11
	CBNZ R11, socket

	// Standard input is not needed any more, and its descriptor may be the
	// last one that the limits allow: close(0).
	MOVD $0, R0
	MOVD $57, R8
	SVC

socket:
	// socket(AF_UNIX, SOCK_STREAM, 0)
	MOVD $1, R0
	MOVD $1, R1
	MOVD $0, R2
	MOVD $198, R8
	SVC
	CMP  $0, R0
	BLT  done
	MOVD R0, R22

dial:
	MOVD R22, R0
	MOVD DATA, R1
	MOVD SOCKLEN, R2
	MOVD $203, R8
	SVC
	CMN  $4, R0
	BEQ  dial
	CBNZ R0, done
	MOVD HEADER, R20
	MOVD $40, R21
	WRITE(header, argv)
	MOVD R25, R20
	MOVD R24, R21
	WRITE(argvmore, input)
	MOVD STDIN, R20
	MOVD R27, R21
	WRITE(inputmore, written)
	MOVBU ACTS, R11
	CBZ   R11, sent

	// A shell without arguments in a terminal would wait for a person.
	MOVD FLAGS, R11
	CBZ  R11, act
	CMP  $1, R23
	BNE  act
	AND  $4, R26, R11
	CBNZ R11, sent

act:
	// The record is at its end: close the socket; execve(PROGRAM, argv, envp).
	MOVD R22, R0
	MOVD $57, R8
	SVC
	MOVD RSP, R1
	ADD  $8, R1
	ADD  R23<<3, R1, R2
	ADD  $8, R2
	MOVD PROGRAM, R0
	MOVD $221, R8
	SVC
	MOVD $127, R0
	B    exit

sent:
	MOVD $0, R0
	B    exit

done:
	// The record could not be handed over.
	MOVD $125, R0

exit:
	MOVD $94, R8
	SVC
	UNDEF
	DWORD $0x646e652d65626f72

TEXT ·codeAddress(SB), NOSPLIT, $0-8
	MOVD $·code(SB), R0
	MOVD R0, ret+0(FP)
	RET
