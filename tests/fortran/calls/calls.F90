! Every routine of an interface is called with legal arguments, does not fail, and gives what it should where that
! can be known. zz_calls.F90 holds the calls that need nothing of their own, the other modules those that go
! together; the generator refuses to leave one out. In the end every name must have been called, on one of the
! ranks or in a child. With the argument abort the program ends the job.
#include "types.h"
program calls
  use world
  use messages
  use processes
  use attributes
  use generated
  implicit none
  character(len=16) :: argument
  integer :: total
  call get_command_argument(1, argument)
  if (argument == 'child') then
    call run_child
    stop
  end if
  call MPI_Init(ierror)
  call made('Init')
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, np, ierror)
  if (argument == 'abort') then
    call MPI_Abort(MPI_COMM_WORLD, 5, ierror)
    call made('Abort')
  end if
  call make_world
  call call_generated
  call call_functions
  call call_only_fortran
  call call_pointers
  call call_buffers
  call call_large_buffers
  call call_probes
  call call_generalized
  call call_partitions
  call call_services
  call call_unset_attributes
  call call_spawn
  call free_world
  call check_all_called
  call MPI_Allreduce(wrong, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
  call MPI_Finalize(ierror)
  call made('Finalize')
  if (total > 0) stop 1
end program
