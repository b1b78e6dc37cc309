#include "textflag.h"

// The data page: see layout in image.go.
#define DATA     $0x601000
#define SOCKLEN  128(R14)
#define HEADER   $0x6010a0
#define FLAGS    200(R14)
#define ACTS     208(R14) // a program follows
#define PROGRAM  $0x6010d0
#define STDIN    $0x602000
#define BOUND    $65537
#define VARIABLE $0x3d46464944475241 // ARGDIFF=

// WRITE sends length bytes from ptr to the socket in BX and leaves for done
// where the other end is gone.
#define WRITE(ptr, length, again, next) \
	MOVQ ptr, SI       \
	MOVQ length, DX    \
again:               \
	TESTQ DX, DX       \
	JZ next            \
	MOVQ BX, DI        \
	MOVQ $1, AX        \
	SYSCALL            \
	CMPQ AX, $-4       \
	JEQ again          \
	TESTQ AX, AX       \
	JLE done           \
	ADDQ AX, SI        \
	SUBQ AX, DX        \
	JMP again          \
next:

// code is the probe from its entry point to the eight bytes of the end mark.
// It is never called: Image copies it. It keeps argc in R13, the first byte of
// argv in R15 and the number of its bytes in R12, the socket in BX, the data page
// in R14. The bits of the terminals are in R10.
TEXT ·code(SB), NOSPLIT|NOFRAME, $0-0
	MOVQ DATA, R14
	MOVQ SP, CX
	MOVQ 0(CX), R13
	MOVQ 8(CX), R15
	XORQ R12, R12

	// The environment lies behind argv. The number is that of its variable
	// ARGDIFF, 0 without one.
	LEAQ 16(CX)(R13*8), SI
	MOVQ VARIABLE, DI
	XORQ DX, DX

env:
	MOVQ  (SI), AX
	ADDQ  $8, SI
	TESTQ AX, AX
	JZ    numbered
	CMPQ  (AX), DI
	JNE   env

digit:
	MOVBQZX 8(AX), BX
	INCQ    AX
	SUBQ    $48, BX
	CMPQ    BX, $9
	JHI     numbered
	LEAQ    (DX)(DX*4), DX
	LEAQ    (BX)(DX*2), DX
	JMP     digit

numbered:
	MOVQ  DX, 192(R14)
	TESTQ R13, R13
	JZ   stdin

	// The kernel lays the argv strings one behind the other, so their end is
	// the end of the last one.
	MOVQ (CX)(R13*8), AX

last:
	CMPB (AX), $0
	JEQ  found
	INCQ AX
	JMP  last

found:
	INCQ AX
	SUBQ R15, AX
	MOVQ AX, R12

	// Called as one whose name begins with a colon it reports nothing, but
	// removes the files that its arguments name.
	CMPB (R15), $58
	JNE  stdin
	MOVQ SP, BX
	ADDQ $16, BX

clean:
	MOVQ  (BX), DI
	TESTQ DI, DI
	JZ    sent
	MOVQ  $87, AX
	SYSCALL
	ADDQ  $8, BX
	JMP   clean

stdin:
	// ioctl(TCGETS) of 1, 2 and 0: which of them is a terminal. One that is
	// standard input is left alone.
	XORQ  R8, R8
	XORQ  R9, R9
	XORQ  R10, R10
	MOVQ  $16, AX
	MOVQ  $1, DI
	MOVQ  $0x5401, SI
	MOVQ  STDIN, DX
	SYSCALL
	TESTQ AX, AX
	JNZ   errors
	MOVQ  $8, R10

errors:
	MOVQ  $16, AX
	MOVQ  $2, DI
	SYSCALL
	TESTQ AX, AX
	JNZ   interactive
	ORQ   $16, R10

interactive:
	MOVQ  $16, AX
	XORQ  DI, DI
	SYSCALL
	TESTQ AX, AX
	JNZ   redirected
	ORQ   $4, R10
	JMP   connect

	// What a front executes reads by itself.
redirected:
	CMPB ACTS, $0
	JNE  connect

	// R8: 0 nothing readable, 1 read to its end, 2 cut at the bound.
	// R9: bytes read.
read:
	XORQ  AX, AX
	XORQ  DI, DI
	MOVQ  STDIN, SI
	ADDQ  R9, SI
	MOVQ  BOUND, DX
	SUBQ  R9, DX
	JZ    cut
	SYSCALL
	CMPQ  AX, $-4
	JEQ   read
	TESTQ AX, AX
	JL    failed
	JZ    eof
	MOVQ  $1, R8
	ADDQ  AX, R9
	JMP   read

eof:
	MOVQ $1, R8
	JMP  connect

cut:
	MOVQ $2, R8
	DECQ R9
	JMP  connect

failed:
	// What was read before the error counts as cut.
	TESTQ R9, R9
	JZ    connect
	MOVQ  $2, R8

connect:
	MOVQ R13, AX
	MOVQ AX, 160(R14)
	MOVQ R12, 168(R14)
	ORQ  R10, R8
	MOVQ R8, 176(R14)
	MOVQ R9, 184(R14)
	CMPB ACTS, $0
	JNE  socket

	// Standard input is not needed any more, and its descriptor may be the
	// last one that the limits allow: close(0).
	MOVQ $3, AX
	XORQ DI, DI
	SYSCALL

socket:
	// socket(AF_UNIX, SOCK_STREAM, 0)
	MOVQ  $41, AX
	MOVQ  $1, DI
	MOVQ  $1, SI
	XORQ  DX, DX
	SYSCALL
	TESTQ AX, AX
	JL    done
	MOVQ  AX, BX

dial:
	MOVQ  $42, AX
	MOVQ  BX, DI
	MOVQ  DATA, SI
	MOVQ  SOCKLEN, DX
	SYSCALL
	CMPQ  AX, $-4
	JEQ   dial
	TESTQ AX, AX
	JNZ   done
	WRITE(HEADER, $40, header, argv)
	WRITE(R15, R12, argvmore, input)
	WRITE(STDIN, 184(R14), inputmore, written)
	CMPB ACTS, $0
	JEQ  sent

	// A shell without arguments in a terminal would wait for a person.
	TESTB $1, FLAGS
	JZ    act
	CMPQ  R13, $1
	JNE   act
	TESTB $4, 176(R14)
	JNZ   sent

act:
	// The record is at its end: close the socket; execve(PROGRAM, argv, envp).
	MOVQ $3, AX
	MOVQ BX, DI
	SYSCALL
	MOVQ SP, SI
	ADDQ $8, SI
	LEAQ 8(SI)(R13*8), DX
	MOVQ PROGRAM, DI
	MOVQ $59, AX
	SYSCALL
	MOVQ $127, DI
	JMP  exit

sent:
	XORQ  DI, DI
	JMP   exit

done:
	// The record could not be handed over.
	MOVQ $125, DI

exit:
	MOVQ $231, AX
	SYSCALL
	UNDEF
	QUAD $0x646e652d65626f72

TEXT ·codeAddress(SB), NOSPLIT, $0-8
	LEAQ ·code(SB), AX
	MOVQ AX, ret+0(FP)
	RET
