! The calls that need a second job: the program starts itself as a child, which calls its half and tells what it
! has called.
#include "types.h"
module processes
  use world
  use, intrinsic :: iso_c_binding
  implicit none

  interface ! sockets.c
    integer(c_int) function listening(port) bind(C)
      import
      integer(c_int), intent(out) :: port
    end function
    integer(c_int) function accepted(socket) bind(C)
      import
      integer(c_int), value :: socket
    end function
    integer(c_int) function connected(port) bind(C)
      import
      integer(c_int), value :: port
    end function
    subroutine closed(socket) bind(C)
      import
      integer(c_int), value :: socket
    end subroutine
  end interface
contains
  ! What has been called in the other job counts here too.
  subroutine learn(inter)
    T_COMM, intent(in) :: inter
    integer :: theirs(size(names))
    call MPI_Bcast(theirs, size(names), MPI_INTEGER, 0, inter, ierror)
    called = called + theirs
  end subroutine

  ! Both jobs: calls on an intercommunicator and those that make one. own is the communicator of the job.
  subroutine call_inter(inter, own, first)
    T_COMM, intent(in) :: inter, own
    logical, intent(in) :: first
    T_COMM :: all, again
    T_GROUP :: theirs
    logical :: flag
    integer :: size, all_size, leader
    call MPI_Comm_remote_size(inter, size, ierror)
    call made('Comm_remote_size')
    call MPI_Comm_test_inter(inter, flag, ierror)
    call check(flag .and. size > 0, 'an intercommunicator')
    call MPI_Intercomm_merge(inter, .not. first, all, ierror)
    call made('Intercomm_merge')
    call MPI_Comm_size(all, all_size, ierror)
    leader = 0
    if (first) leader = all_size - size
    call MPI_Intercomm_create(own, 0, all, leader, THE_TAG, again, ierror)
    call made('Intercomm_create')
    call free_comm(again)
    call MPI_Comm_remote_group(inter, theirs, ierror)
    call made('Comm_remote_group')
    call check(size_of(theirs) == size, 'a remote group')
    call free_group(theirs)
    call free_comm(all)
  end subroutine

  ! The two ranks of a job, each a group.
  subroutine call_two_groups
    T_GROUP :: all, mine, theirs
    T_COMM :: inter
    logical :: flag
    call check(np == 2, 'two ranks')
    call MPI_Comm_group(MPI_COMM_WORLD, all, ierror)
    call MPI_Group_incl(all, 1, [me], mine, ierror)
    call MPI_Group_incl(all, 1, [1 - me], theirs, ierror)
    call MPI_Intercomm_create_from_groups(mine, 0, theirs, 0, 'calls', MPI_INFO_NULL, MPI_ERRORS_RETURN, inter, &
        ierror)
    call made('Intercomm_create_from_groups')
    call MPI_Comm_test_inter(inter, flag, ierror)
    call check(flag, 'an intercommunicator of two groups')
    call free_comm(inter)
    call free_group(all)
    call free_group(mine)
    call free_group(theirs)
  end subroutine

  subroutine call_join(socket)
    integer(c_int), intent(in) :: socket
    T_COMM :: inter
    integer :: size
    call MPI_Comm_join(socket, inter, ierror)
    call made('Comm_join')
    call MPI_Comm_remote_size(inter, size, ierror)
    call check(size == 1, 'what is joined')
    call MPI_Comm_disconnect(inter, ierror)
    call ok('Comm_disconnect')
    call closed(socket)
  end subroutine

  ! The child. Its arguments: child, the port of the parents, the port of the socket; or child, many, nothing
  ! more for a job of two.
  subroutine run_child
    T_COMM :: parent, inter
    character(len=MPI_MAX_PORT_NAME) :: port
    character(len=16) :: socket_port
    integer :: provided, number, root
    call get_command_argument(2, port)
    call get_command_argument(3, socket_port)
    call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided, ierror)
    call made('Init_thread')
    call MPI_Comm_rank(MPI_COMM_WORLD, me, ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, np, ierror)
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierror)
    call MPI_Comm_get_parent(parent, ierror)
    call made('Comm_get_parent')
    if (port == 'many') then
      call call_two_groups
    else
      call call_inter(parent, MPI_COMM_WORLD, .false.)
      call MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, inter, ierror)
      call made('Comm_connect')
      call MPI_Comm_disconnect(inter, ierror)
      call made('Comm_disconnect')
      read (socket_port, *) number
      call call_join(connected(number))
    end if
    root = MPI_PROC_NULL
    if (me == 0) root = MPI_ROOT
    call MPI_Bcast(called, size(names), MPI_INTEGER, root, parent, ierror)
    call MPI_Comm_disconnect(parent, ierror)
    call MPI_Finalize(ierror)
    if (wrong > 0) stop 1
  end subroutine

  subroutine call_services
    character(len=MPI_MAX_PORT_NAME) :: port, found
    character(len=32) :: service
    write (service, '(a, i0, 1x, i0)') 'calls ', me, getpid()
    call MPI_Open_port(MPI_INFO_NULL, port, ierror)
    call made('Open_port')
    call MPI_Publish_name(service, MPI_INFO_NULL, port, ierror)
    call made('Publish_name')
    call MPI_Lookup_name(service, MPI_INFO_NULL, found, ierror)
    call made('Lookup_name')
    call check(port == found .and. port /= '', 'a published name')
    call MPI_Unpublish_name(service, MPI_INFO_NULL, port, ierror)
    call made('Unpublish_name')
    call MPI_Close_port(port, ierror)
    call made('Close_port')
  end subroutine

  subroutine call_spawn
    T_COMM :: inter, other
    character(len=256) :: program
    character(len=MPI_MAX_PORT_NAME) :: arguments(4), port, many(2, 3)
    integer :: codes(2)
    integer(c_int) :: socket, number
    call get_command_argument(0, program)
    call MPI_Comm_get_parent(inter, ierror)
    call check(inter == MPI_COMM_NULL, 'no parent')
    arguments = ''
    port = ''
    if (me == 0) then
      call MPI_Open_port(MPI_INFO_NULL, port, ierror)
      socket = listening(number)
      arguments(1) = 'child'
      arguments(2) = port
      write (arguments(3), '(i0)') number
    end if
    codes = -1
    call MPI_Comm_spawn(program, arguments, 1, MPI_INFO_NULL, 0, the_comm, inter, codes, ierror)
    call made('Comm_spawn')
    call check(codes(1) == MPI_SUCCESS, 'what is spawned')
    call call_inter(inter, the_comm, .true.)
    call MPI_Comm_accept(port, MPI_INFO_NULL, 0, the_comm, other, ierror)
    call made('Comm_accept')
    call MPI_Comm_disconnect(other, ierror)
    if (me == 0) then
      call call_join(accepted(socket))
      call closed(socket)
      call MPI_Close_port(port, ierror)
    end if
    call learn(inter)
    call MPI_Comm_disconnect(inter, ierror)
    call ok('Comm_disconnect')

    many = ''
    many(:, 1) = 'child'
    many(:, 2) = 'many'
    codes = -1
    call MPI_Comm_spawn_multiple(2, [program, program], many, [1, 1], [MPI_INFO_NULL, MPI_INFO_NULL], 0, the_comm, &
        inter, codes, ierror)
    call made('Comm_spawn_multiple')
    call check(all(codes == MPI_SUCCESS), 'what is spawned together')
    call learn(inter)
    call MPI_Comm_disconnect(inter, ierror)
  end subroutine
end module
