! One of the three interfaces, under one name.
module interface
#if defined(F08)
  use mpi_f08
#elif !defined(MPIFH)
  use mpi
#endif
  implicit none
#ifdef MPIFH
  include 'mpif.h'
#endif
  integer :: ierror ! of the last call
end module
