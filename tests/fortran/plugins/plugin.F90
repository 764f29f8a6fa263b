! A plug-in: every constant that is an address is recognized, with each interface. It counts what is wrong.
subroutine plugin(last, wrong)
#if defined(F08)
  use, intrinsic :: iso_c_binding, only: c_ptr
  use mpi_f08
#elif defined(MPI)
  use mpi
#endif
  implicit none
#ifdef MPIFH
  include 'mpif.h'
#endif
#ifdef F08
  type(MPI_Request) :: r(2)
  type(MPI_Comm) :: graph
  type(MPI_Datatype) :: at
#else
  integer :: r(2), graph, at
#endif
#ifdef F08
  type(c_ptr) :: buffer
#else
  integer :: buffer
#endif
  integer, intent(in) :: last ! 1: nobody else ends MPI
  integer, intent(out) :: wrong
  integer :: me, np, ierror, n, x, y, blocks(1)
  integer(kind=MPI_ADDRESS_KIND) :: places(1)
  logical :: there, weighted

  wrong = 0
  call MPI_Initialized(there, ierror)
  if (.not. there) call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, np, ierror)
  n = me + 1
  call MPI_Allreduce(MPI_IN_PLACE, n, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
  if (n /= np * (np + 1) / 2) wrong = wrong + 1

  x = 5
  y = 0
  call MPI_Get_address(x, places(1), ierror)
  blocks = 1
  call MPI_Type_create_hindexed(1, blocks, places, MPI_INTEGER, at, ierror)
  call MPI_Type_commit(at, ierror)
  call MPI_Irecv(y, 1, MPI_INTEGER, me, 3, MPI_COMM_WORLD, r(1), ierror)
  call MPI_Isend(MPI_BOTTOM, 1, at, me, 3, MPI_COMM_WORLD, r(2), ierror)
  call MPI_Waitall(2, r, MPI_STATUSES_IGNORE, ierror)
  if (y /= 5) wrong = wrong + 10
  call MPI_Isend(x, 1, MPI_INTEGER, me, 4, MPI_COMM_WORLD, r(2), ierror)
  call MPI_Recv(y, 1, MPI_INTEGER, me, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  call MPI_Wait(r(2), MPI_STATUS_IGNORE, ierror)
  call MPI_Type_free(at, ierror)

  blocks = me
  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, blocks, MPI_UNWEIGHTED, 1, blocks, MPI_UNWEIGHTED, &
      MPI_INFO_NULL, .false., graph, ierror)
  call MPI_Dist_graph_neighbors_count(graph, x, y, weighted, ierror)
  if (weighted .or. x /= 1) wrong = wrong + 100
  call MPI_Comm_free(graph, ierror)
  call MPI_Buffer_attach(MPI_BUFFER_AUTOMATIC, 0, ierror)
  call MPI_Buffer_detach(buffer, x, ierror)
  if (ierror /= MPI_SUCCESS) wrong = wrong + 1000
  if (last == 1) call MPI_Finalize(ierror)
end subroutine
