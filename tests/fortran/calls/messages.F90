! Calls that go together: buffers of sends, probes that may find nothing, generalized requests, partitions; and
! functions, which have no error code.
#include "types.h"
module messages
  use world
  use, intrinsic :: iso_c_binding
  implicit none
contains
  subroutine call_functions
    integer(kind=ADDRESS_KIND) :: base
    double precision :: start
#ifdef MPIFH
    integer(kind=ADDRESS_KIND), external :: MPI_Aint_add, MPI_Aint_diff
#endif
    start = MPI_Wtime()
    call valued('Wtime', MPI_Wtime() >= start)
    call valued('Wtick', MPI_Wtick() > 0)
    base = MPI_Aint_add(8_ADDRESS_KIND, 4_ADDRESS_KIND)
    call valued('Aint_add', base == 12)
    base = MPI_Aint_diff(8_ADDRESS_KIND, 12_ADDRESS_KIND)
    call valued('Aint_diff', base == -4)
    call MPI_Pcontrol(1)
    call valued('Pcontrol', .true.)
    call MPI_F_sync_reg(in)
    call valued('F_sync_reg', .true.)
  end subroutine

  ! What mpif.h has not.
  subroutine call_only_fortran
#ifndef MPIFH
    double precision :: four(4)
    type(MPI_Status) :: new
    integer :: bytes, old(MPI_STATUS_SIZE)
#ifdef PLAIN
    bytes = storage_size(four) / 8 ! MPI_Sizeof needs descriptors
    ierror = MPI_SUCCESS
#else
    call MPI_Sizeof(four(1), bytes, ierror)
#endif
    call made('Sizeof')
    call check(bytes == 8, 'the size of a double precision')
    old = 0
    old(MPI_SOURCE) = 5
    old(MPI_TAG) = 6
    old(MPI_ERROR) = 7
    call MPI_Status_f2f08(old, new, ierror)
    call made('Status_f2f08')
    call check(new%MPI_SOURCE == 5 .and. new%MPI_TAG == 6 .and. new%MPI_ERROR == 7, 'a status of mpi_f08')
    old = 0
    call MPI_Status_f082f(new, old, ierror)
    call made('Status_f082f')
    call check(old(MPI_SOURCE) == 5 .and. old(MPI_TAG) == 6 .and. old(MPI_ERROR) == 7, 'a status of mpi')
#endif
  end subroutine

  ! Addresses as C pointers, which the module mpi has beside those that are integers.
  subroutine call_pointers
#if !defined(F08) && !defined(MPIFH)
    type(c_ptr) :: address
    integer :: win, unit
    integer(kind=ADDRESS_KIND) :: bytes
    integer, pointer :: memory(:)
    call MPI_Alloc_mem(64_ADDRESS_KIND, MPI_INFO_NULL, address, ierror)
    call ok('Alloc_mem')
    call c_f_pointer(address, memory, [16])
    memory = me
    call MPI_Free_mem(memory, ierror)
    call ok('Free_mem')
    call MPI_Win_allocate(64_ADDRESS_KIND, 4, MPI_INFO_NULL, the_comm, address, win, ierror)
    call ok('Win_allocate')
    call check(c_associated(address), 'memory of a window')
    call free_win(win)
    call MPI_Win_allocate_shared(64_ADDRESS_KIND, 4, MPI_INFO_NULL, the_comm, address, win, ierror)
    call ok('Win_allocate_shared')
    call check(c_associated(address), 'memory of a shared window')
    call MPI_Win_shared_query(win, me, bytes, unit, address, ierror)
    call ok('Win_shared_query')
    call check(c_associated(address) .and. bytes == 64 .and. unit == 4, 'what a shared window says')
    call free_win(win)
#endif
  end subroutine

  logical function is_room(address)
    T_ADDRESS, intent(in) :: address
    integer(kind=ADDRESS_KIND) :: at
    call MPI_Get_address(room, at, ierror)
    is_room = transfer(address, at) == at
  end function

  ! The address of the library's own buffer is that of the constant.
  logical function is_automatic(address)
    T_ADDRESS, intent(in) :: address
    integer(kind=ADDRESS_KIND) :: at
    call MPI_Get_address(MPI_BUFFER_AUTOMATIC, at, ierror)
    is_automatic = transfer(address, at) == at
  end function

  subroutine call_buffers
    T_ADDRESS :: back
    T_REQUEST :: request
    integer :: bytes
    call MPI_Buffer_attach(room, 4 * size(room), ierror)
    call made('Buffer_attach')
    call MPI_Buffer_flush(ierror)
    call made('Buffer_flush')
    call MPI_Buffer_iflush(request, ierror)
    call made('Buffer_iflush')
    call complete(request)
    call MPI_Buffer_detach(back, bytes, ierror)
    call made('Buffer_detach')
    call check(is_room(back) .and. bytes == 4 * size(room), 'a detached buffer')
    call MPI_Comm_attach_buffer(the_comm, room, 4 * size(room), ierror)
    call made('Comm_attach_buffer')
    call MPI_Comm_flush_buffer(the_comm, ierror)
    call made('Comm_flush_buffer')
    call MPI_Comm_iflush_buffer(the_comm, request, ierror)
    call made('Comm_iflush_buffer')
    call complete(request)
    call MPI_Comm_detach_buffer(the_comm, back, bytes, ierror)
    call made('Comm_detach_buffer')
    call check(is_room(back) .and. bytes == 4 * size(room), 'a communicator''s detached buffer')
    call MPI_Session_attach_buffer(the_session, room, 4 * size(room), ierror)
    call made('Session_attach_buffer')
    call MPI_Session_flush_buffer(the_session, ierror)
    call made('Session_flush_buffer')
    call MPI_Session_iflush_buffer(the_session, request, ierror)
    call made('Session_iflush_buffer')
    call complete(request)
    call MPI_Session_detach_buffer(the_session, back, bytes, ierror)
    call made('Session_detach_buffer')
    call check(is_room(back) .and. bytes == 4 * size(room), 'a session''s detached buffer')
    call call_automatic_buffers
  end subroutine

  subroutine call_automatic_buffers
    T_ADDRESS :: back
    integer :: bytes
    call MPI_Buffer_attach(MPI_BUFFER_AUTOMATIC, 0, ierror)
    call MPI_Buffer_detach(back, bytes, ierror)
    call check(is_automatic(back) .and. bytes == 0, 'the library''s buffer of the process')
    call MPI_Comm_attach_buffer(the_comm, MPI_BUFFER_AUTOMATIC, 0, ierror)
    call MPI_Comm_detach_buffer(the_comm, back, bytes, ierror)
    call check(is_automatic(back) .and. bytes == 0, 'the library''s buffer of a communicator')
    call MPI_Session_attach_buffer(the_session, MPI_BUFFER_AUTOMATIC, 0, ierror)
    call MPI_Session_detach_buffer(the_session, back, bytes, ierror)
    call check(is_automatic(back) .and. bytes == 0, 'the library''s buffer of a session')
  end subroutine

  ! The same of large counts.
  subroutine call_large_buffers
#ifdef F08
    T_ADDRESS :: back
    integer(kind=COUNT_KIND) :: bytes
    integer(kind=ADDRESS_KIND) :: at
    bytes = 4 * size(room)
    call MPI_Buffer_attach(room, bytes, ierror)
    call made('Buffer_attach_c')
    call MPI_Buffer_detach(back, bytes, ierror)
    call made('Buffer_detach_c')
    call check(is_room(back) .and. bytes == 4 * size(room), 'a detached buffer')
    call MPI_Comm_attach_buffer(the_comm, room, bytes, ierror)
    call made('Comm_attach_buffer_c')
    call MPI_Comm_detach_buffer(the_comm, back, bytes, ierror)
    call made('Comm_detach_buffer_c')
    call check(is_room(back) .and. bytes == 4 * size(room), 'a communicator''s detached buffer')
    call MPI_Session_attach_buffer(the_session, MPI_BUFFER_AUTOMATIC, 0_COUNT_KIND, ierror)
    call made('Session_attach_buffer_c')
    call MPI_Session_detach_buffer(the_session, back, bytes, ierror)
    call made('Session_detach_buffer_c')
    at = transfer(c_loc(MPI_BUFFER_AUTOMATIC), at)
    call check(transfer(back, at) == at .and. is_automatic(back), 'the library''s buffer')
#endif
  end subroutine

  subroutine call_probes
    T_REQUEST :: request
    T_MESSAGE :: message
    T_STATUS :: status
    logical :: flag
    call send_right(request)
    flag = .false.
    do while (.not. flag)
      call MPI_Iprobe(left, THE_TAG, the_comm, flag, status, ierror)
      call made('Iprobe')
    end do
    call check(counted(status), 'what is probed')
    call MPI_Recv(in, 4, MPI_INTEGER, left, THE_TAG, the_comm, status, ierror)
    call complete(request)
    call send_right(request)
    flag = .false.
    do while (.not. flag)
      call MPI_Improbe(left, THE_TAG, the_comm, flag, message, status, ierror)
      call made('Improbe')
    end do
    call MPI_Mrecv(in, 4, MPI_INTEGER, message, status, ierror)
    call complete(request)
    call MPI_Irecv(in, 4, MPI_INTEGER, left, THE_TAG + 1, the_comm, request, ierror)
    call MPI_Cancel(request, ierror)
    call made('Cancel')
    call MPI_Wait(request, status, ierror)
    call MPI_Test_cancelled(status, flag, ierror)
    call check(flag, 'a cancelled receive')
  end subroutine

  subroutine call_generalized
    T_REQUEST :: request
    T_STATUS :: status
    call MPI_Grequest_start(fn_Grequest_query_function, fn_Grequest_free_function, fn_Grequest_cancel_function, &
        0_ADDRESS_KIND, request, ierror)
    call made('Grequest_start')
    call MPI_Grequest_complete(request, ierror)
    call made('Grequest_complete')
    call MPI_Wait(request, status, ierror)
    call check(queries == 1 .and. counted(status), 'a generalized request')
  end subroutine

  ! Four partitions around the ring, declared ready in three ways.
  subroutine run_partitions(send, receive)
    T_REQUEST :: send, receive
    logical :: arrived
    call MPI_Start(receive, ierror)
    call MPI_Start(send, ierror)
    call MPI_Pready(0, send, ierror)
    call made('Pready')
    call MPI_Pready_range(1, 2, send, ierror)
    call made('Pready_range')
    call MPI_Pready_list(1, [3], send, ierror)
    call made('Pready_list')
    arrived = .false.
    do while (.not. arrived)
      call MPI_Parrived(receive, 0, arrived, ierror)
      call made('Parrived')
    end do
    call complete(send)
    call complete(receive)
    call check(all(in(:4) == from(left)), 'partitions')
    call MPI_Request_free(send, ierror)
    call MPI_Request_free(receive, ierror)
  end subroutine

  subroutine call_partitions
    T_REQUEST :: send, receive
    in = -1
    call MPI_Psend_init(out, 4, 1, MPI_INTEGER, right, THE_TAG, the_comm, MPI_INFO_NULL, send, ierror)
    call made('Psend_init')
    call MPI_Precv_init(in, 4, 1, MPI_INTEGER, left, THE_TAG, the_comm, MPI_INFO_NULL, receive, ierror)
    call made('Precv_init')
    call run_partitions(send, receive)
#ifdef F08
    in = -1
    call MPI_Psend_init(out, 4, 1_COUNT_KIND, MPI_INTEGER, right, THE_TAG, the_comm, MPI_INFO_NULL, send, ierror)
    call made('Psend_init_c')
    call MPI_Precv_init(in, 4, 1_COUNT_KIND, MPI_INTEGER, left, THE_TAG, the_comm, MPI_INFO_NULL, receive, ierror)
    call made('Precv_init_c')
    call run_partitions(send, receive)
#endif
  end subroutine
end module
