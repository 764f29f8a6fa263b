package main

import (
	"regexp"
	"strings"
)

// A level is a way to pass buffers of any type, of which a compiler may know one. The sources of the modules
// are those of the first level; the others are derived from them.
type level struct {
	noted string // what -info says of it
	// source turns a source of the first level into one of this level.
	source func(string) string
	probe  string // a program that prints "works" where the modules serve the compiler
}

// levels are all, the best one first.
var levels = []level{
	{"", func(text string) string { return text }, probeDescriptors},
	{noSections, func(text string) string { return withoutDescriptors(text, "type(*)") }, probeAddresses},
	{noSections, func(text string) string { return withoutDescriptors(text, "real") }, probeAddresses},
}

const noSections = ", without descriptors (MPI_SUBARRAYS_SUPPORTED is .false.): "

// probeDescriptors shows that the compiler passes descriptors as the library expects them.
const probeDescriptors = `program probe
  use mpi_f08
  implicit none
  type pair
    integer(kind=2) :: a
    integer :: b
  end type
  type(pair) :: p(9)
  integer :: n
  call MPI_Sizeof(p(1:9:2)%b, n)
  if (n /= 4 .or. MPI_COMM_WORLD == MPI_COMM_SELF) stop 1
  write (*, '(a)') 'works'
end program
`

// probeAddresses shows that the compiler passes the addresses of buffers of any type and rank. No routine of
// MPI that takes one can be called ahead of MPI_Init, which the place where a program is compiled may not be
// able to carry out.
const probeAddresses = `program probe
  use mpi_f08
  implicit none
  interface
    subroutine gompi_f_address(buf, address)
      import
      type(*), dimension(..), intent(in), asynchronous :: buf
      integer(kind=MPI_ADDRESS_KIND) :: address
    end subroutine
  end interface
  integer, target :: a(4)
  real(kind=8), target :: x(3, 3)
  integer(kind=MPI_ADDRESS_KIND) :: p, q
  call gompi_f_address(a(1), p)
  call gompi_f_address(a(3), q)
  if (q - p /= 8 .or. MPI_COMM_WORLD == MPI_COMM_SELF) stop 1
  call gompi_f_address(x, p)
  call gompi_f_address(x(1, 2), q)
  if (q - p /= 24) stop 1
  call MPI_F_sync_reg(x)
  write (*, '(a)') 'works'
end program
`

var (
	boundBuffer = regexp.MustCompile(` bind\(C,(?: &\n)? *name="\w+_f08ts_"\)`)
	described   = regexp.MustCompile(`(?m)^ *type\(\*\), dimension\(\.\.\)(.*) :: (\w+)$`)
	// MPI_Sizeof knows types by nothing but descriptors.
	sizeOf = regexp.MustCompile(`(?ms)^interface P?MPI_Sizeof\n.*?^end interface\n`)
)

// withoutDescriptors declares buffers as arrays of a type, with directives by which compilers leave the
// arguments unchecked. The routines have the names of MPI 5.0, 20.1.5, for that.
func withoutDescriptors(text, typ string) string {
	text = sizeOf.ReplaceAllString(text, "")
	text = boundBuffer.ReplaceAllString(text, "")
	text = strings.ReplaceAll(text, "_f08ts", "_f08")
	text = described.ReplaceAllString(text, `!GCC$$ ATTRIBUTES NO_ARG_CHECK :: $2
!DEC$$ ATTRIBUTES NO_ARG_CHECK :: $2
!DIR$$ IGNORE_TKR $2
!IBM* IGNORE_TKR $2
!$$PRAGMA IGNORE_TKR $2
    type(*), dimension(*)$1 :: $2`)
	text = strings.ReplaceAll(text, "type(*), dimension(*)", typ+", dimension(*)")
	for _, name := range []string{"MPI_SUBARRAYS_SUPPORTED", "MPI_ASYNC_PROTECTS_NONBLOCKING"} {
		text = strings.ReplaceAll(text, name+" = .true.", name+" = .false.")
	}
	return text
}
