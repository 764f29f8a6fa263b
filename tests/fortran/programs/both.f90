! Units of one program with different modules, and mpif.h: the same constants in each.
program both
  use mpi_f08
  implicit none
  integer :: wrong = 0, np, n
  call MPI_Init()
  call MPI_Comm_size(MPI_COMM_WORLD, np)
  n = 1
  call MPI_Allreduce(MPI_IN_PLACE, n, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  if (n /= np) wrong = wrong + 1
  call with_module(wrong, MPI_COMM_WORLD%MPI_VAL)
  call with_header(wrong)
  call MPI_Finalize()
  if (wrong /= 0) stop 1
end program

subroutine with_module(wrong, world)
  use mpi
  implicit none
  integer :: wrong, world, np, n, ierr, request
  if (world /= MPI_COMM_WORLD) wrong = wrong + 1
  call MPI_Comm_size(MPI_COMM_WORLD, np, ierr)
  n = 1
  call MPI_Iallreduce(MPI_IN_PLACE, n, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  if (n /= np) wrong = wrong + 1
end subroutine

subroutine with_header(wrong)
  implicit none
  include 'mpif.h'
  integer :: wrong, np, n, ierr
  call MPI_COMM_SIZE(MPI_COMM_WORLD, np, ierr)
  n = 1
  call MPI_ALLREDUCE(MPI_IN_PLACE, n, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  if (n /= np) wrong = wrong + 1
end subroutine
