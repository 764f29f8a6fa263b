! mpi_f08 for compilers without descriptors: buffers of any type and rank, and sections in blocking calls.
program plain
  use mpi_f08
  use checks
  implicit none
  integer :: a(20, 3), b(20, 3), i, packed(8), position
  real(kind=8) :: x, y
  character(len=5) :: s
  integer(kind=MPI_ADDRESS_KIND) :: at
  type(MPI_Request) :: r(2)
  type(MPI_Status) :: st

  call begin
  call check(.not. MPI_SUBARRAYS_SUPPORTED, 'what the constant says')
  a = reshape([(i, i = 1, 60)], [20, 3])
  b = 0
  call MPI_Sendrecv(a(1:20:2, :), 30, MPI_INTEGER, me, 1, b(2:20:2, :), 30, MPI_INTEGER, me, 1, MPI_COMM_WORLD, st)
  call check(all(b(2:20:2, :) == a(1:20:2, :)) .and. all(b(1:20:2, :) == 0), 'sections')
  x = 1.5d0
  call MPI_Irecv(y, 1, MPI_DOUBLE_PRECISION, me, 2, MPI_COMM_WORLD, r(1))
  call MPI_Isend(x, 1_MPI_COUNT_KIND, MPI_DOUBLE_PRECISION, me, 2, MPI_COMM_WORLD, r(2))
  call MPI_Waitall(2, r, MPI_STATUSES_IGNORE)
  call check(y == x, 'a scalar')
  s = 'hello'
  if (me > 0) s = ' '
  call MPI_Bcast(s, 5, MPI_CHARACTER, 0, MPI_COMM_WORLD)
  call check(s == 'hello', 'a string')
  call MPI_Allreduce(MPI_IN_PLACE, a, 60, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call check(a(20, 3) == 60 * np, 'in place')
  at = 0
  call MPI_Pack_external('external32', [1, 2], 2, MPI_INTEGER, packed, 32_MPI_ADDRESS_KIND, at)
  call check(at == 8, 'a string beside buffers')
  position = 0
  call MPI_Pack(x, 1, MPI_DOUBLE_PRECISION, packed, 32, position, MPI_COMM_WORLD)
  call check(position == 8 .and. transfer(packed(1:2), x) == x, 'packed')
  call finish
end program
