! Names of MPI-1 in mpi_f08: attributes that are integers of the default kind, with functions that get them, and
! handles that only go in.
module functions
  use mpi_f08
  implicit none
  integer :: deleted = 0
contains
  subroutine copy(oldcomm, keyval, extra_state, attribute_val_in, attribute_val_out, flag, ierr)
    type(MPI_Comm) :: oldcomm
    integer :: keyval, extra_state, attribute_val_in, attribute_val_out, ierr
    logical :: flag
    attribute_val_out = attribute_val_in + 1
    flag = extra_state == 42 .and. oldcomm == MPI_COMM_WORLD .and. keyval /= MPI_KEYVAL_INVALID
    ierr = MPI_SUCCESS
  end subroutine
  subroutine delete(comm, keyval, attribute_val, extra_state, ierr)
    type(MPI_Comm) :: comm
    integer :: keyval, attribute_val, extra_state, ierr
    ierr = MPI_ERR_ARG
    if (extra_state == 42 .and. comm /= MPI_COMM_NULL .and. keyval /= MPI_KEYVAL_INVALID) ierr = MPI_SUCCESS
    deleted = attribute_val
  end subroutine
  ! The functions are of the types that mpi_f08 has for them.
  subroutine create(copy_fn, delete_fn, keyval)
    procedure(MPI_Copy_function) :: copy_fn
    procedure(MPI_Delete_function) :: delete_fn
    integer, intent(out) :: keyval
    call MPI_Keyval_create(copy_fn, delete_fn, keyval, 42)
  end subroutine
  subroutine cancel(request)
    type(MPI_Request), intent(in) :: request
    call MPI_Cancel(request)
  end subroutine
end module

program mpi1
  use checks
  use functions
  implicit none
  integer :: key, value, buffer
  logical :: flag
  type(MPI_Comm) :: comm
  type(MPI_Request) :: request
  type(MPI_Status) :: status
  call begin
  call create(copy, delete, key)
  call MPI_Attr_put(MPI_COMM_WORLD, key, -99)
  call MPI_Comm_dup(MPI_COMM_WORLD, comm)
  call MPI_Attr_get(comm, key, value, flag)
  call check(flag .and. value == -98, 'a copied attribute')
  call MPI_Attr_delete(comm, key)
  call check(deleted == -98, 'a deleted attribute')
  value = -1
  call MPI_Attr_get(comm, key, value, flag)
  call check(.not. flag .and. value == 0, 'an attribute that is not set')
  call MPI_Attr_delete(MPI_COMM_WORLD, key)
  call MPI_Keyval_free(key)
  call check(key == MPI_KEYVAL_INVALID, 'a freed key')
  call MPI_Comm_free(comm)

  call create(MPI_DUP_FN, MPI_NULL_DELETE_FN, key)
  call copied(.true., 'MPI_DUP_FN')
  call create(MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, key)
  call copied(.false., 'MPI_NULL_COPY_FN')
  ! Those of MPI-2 serve as well.
  call MPI_Keyval_create(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, key, 0)
  call copied(.false., 'MPI_COMM_NULL_COPY_FN')

  call MPI_Irecv(buffer, 1, MPI_INTEGER, me, 3, MPI_COMM_WORLD, request)
  call cancel(request)
  call check(request /= MPI_REQUEST_NULL, 'a cancelled request is still there')
  call MPI_Wait(request, status)
  call MPI_Test_cancelled(status, flag)
  call check(flag, 'MPI_Cancel')
  call finish
contains
  ! Whether the function of the key copies its value.
  subroutine copied(expected, name)
    logical, intent(in) :: expected
    character(len=*), intent(in) :: name
    call MPI_Attr_put(MPI_COMM_WORLD, key, 7)
    call MPI_Comm_dup(MPI_COMM_WORLD, comm)
    call MPI_Attr_get(comm, key, value, flag)
    call check((flag .eqv. expected) .and. value == merge(7, 0, expected), name)
    call MPI_Attr_delete(MPI_COMM_WORLD, key)
    call MPI_Keyval_free(key)
    call MPI_Comm_free(comm)
  end subroutine
end program
