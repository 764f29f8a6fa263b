! The last rank dies, and the others go on: what a failure is to Fortran. It needs mpiexec --enable-recovery.
program recovery
  use mpi_f08
  use checks
  implicit none
  type(MPI_Comm) :: comm, rest
  type(MPI_Group) :: failed_ranks, acked_ranks
  type(MPI_Request) :: r
  integer, asynchronous :: flag
  integer :: code, class, n, acked
  logical :: revoked

  call begin
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Comm_dup(MPI_COMM_WORLD, comm)
  call MPI_Barrier(comm)
  if (me == np - 1) call exit(9)

  call MPI_Recv(n, 1, MPI_INTEGER, np - 1, 1, comm, MPI_STATUS_IGNORE, code)
  call MPI_Error_class(code, class)
  call check(class == MPIX_ERR_PROC_FAILED, 'the class of a failure')
  call MPI_Irecv(n, 1, MPI_INTEGER, MPI_ANY_SOURCE, 1, comm, r)
  call MPI_Wait(r, MPI_STATUS_IGNORE, code)
  call MPI_Error_class(code, class)
  call check(class == MPIX_ERR_PROC_FAILED_PENDING .and. r /= MPI_REQUEST_NULL, 'what is pending')
  call MPI_Cancel(r)
  call MPI_Wait(r, MPI_STATUS_IGNORE)

  call MPIX_Comm_get_failed(comm, failed_ranks)
  call MPI_Group_size(failed_ranks, n)
  call check(n == 1, 'who has failed')
  call MPIX_Comm_ack_failed(comm, n, acked)
  call MPIX_Comm_failure_ack(comm)
  call MPIX_Comm_failure_get_acked(comm, acked_ranks)
  call MPI_Group_compare(failed_ranks, acked_ranks, n)
  call check(acked == 1 .and. n == MPI_IDENT, 'who is acknowledged')
  call MPI_Group_free(failed_ranks)
  call MPI_Group_free(acked_ranks)

  flag = 7 - mod(me, 2)
  call MPIX_Comm_agree(comm, flag, code)
  n = flag
  flag = 7
  call MPIX_Comm_iagree(comm, flag, r)
  call MPI_Wait(r, MPI_STATUS_IGNORE)
  call check(code == MPI_SUCCESS .and. n == merge(6, 7, np > 2) .and. flag == 7, 'an agreement')

  call MPIX_Comm_is_revoked(comm, revoked)
  call check(.not. revoked, 'not revoked')
  flag = 1
  call MPIX_Comm_agree(comm, flag) ! all have looked
  if (me == 0) call MPIX_Comm_revoke(comm)
  call MPI_Recv(n, 1, MPI_INTEGER, me, 2, comm, MPI_STATUS_IGNORE, code)
  call MPI_Error_class(code, class)
  call MPIX_Comm_is_revoked(comm, revoked)
  call check(class == MPIX_ERR_REVOKED .and. revoked, 'revoked')

  call MPIX_Comm_shrink(comm, rest)
  call MPI_Comm_size(rest, n)
  call check(n == np - 1, 'those that live')
  call MPI_Comm_free(rest)
  call MPIX_Comm_ishrink(comm, rest, r)
  call MPI_Wait(r, MPI_STATUS_IGNORE)
  call MPI_Allreduce(me, n, 1, MPI_INTEGER, MPI_SUM, rest)
  call check(n == (np - 1) * (np - 2) / 2, 'their sum')
  call MPI_Allreduce(MPI_IN_PLACE, failed, 1, MPI_INTEGER, MPI_SUM, rest)
  if (me == 0 .and. failed == 0) write (*, '(a)') 'recovered'
  call MPI_Comm_free(rest)
  call MPI_Finalize()
end program
