! What the tests in mpi_f08 have in common.
module checks
  use mpi_f08
  implicit none
  integer :: me, np, failed = 0
contains
  subroutine begin
    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, me)
    call MPI_Comm_size(MPI_COMM_WORLD, np)
  end subroutine

  subroutine check(ok, what)
    logical, intent(in) :: ok
    character(len=*), intent(in) :: what
    if (.not. ok) then
      write (*, '(a, i0, 2a)') 'rank ', me, ': wrong: ', what
      failed = failed + 1
    end if
  end subroutine

  subroutine finish
    integer :: all
    call MPI_Allreduce(failed, all, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    call MPI_Finalize()
    if (all > 0) stop 1
  end subroutine
end module
