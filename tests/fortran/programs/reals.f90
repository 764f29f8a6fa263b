! With -r8 a REAL has 8 bytes, and so has MPI_REAL.
program reals
  use mpi_f08
  implicit none
  real :: x, total
  double precision :: d
  complex :: z, sum
  integer :: np
  call MPI_Init()
  call MPI_Comm_size(MPI_COMM_WORLD, np)
  x = 1 + 2.0**(-40)
  call MPI_Allreduce(x, total, 1, MPI_REAL, MPI_SUM, MPI_COMM_WORLD)
  if (total /= np * x) stop 1
  z = cmplx(x, 2 * x)
  call MPI_Allreduce(z, sum, 1, MPI_COMPLEX, MPI_SUM, MPI_COMM_WORLD)
  if (sum /= np * z) stop 2
  d = 0.1d0
  call MPI_Allreduce(MPI_IN_PLACE, d, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD)
  if (d /= 0.1d0 .or. MPI_Wtime() <= 0) stop 3
  call MPI_Finalize()
end program
