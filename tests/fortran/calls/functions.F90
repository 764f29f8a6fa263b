! The program's functions, in the form that the interface has for them.
#include "types.h"
module functions
  use interface
  use, intrinsic :: iso_c_binding
  implicit none
  integer :: queries = 0, errors = 0
contains
#ifdef F08
  subroutine fn_User_function(invec, inoutvec, len, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer :: len
    type(MPI_Datatype) :: datatype
    integer, pointer :: a(:), b(:)
    call c_f_pointer(invec, a, [len])
    call c_f_pointer(inoutvec, b, [len])
    b = a + b
    if (datatype /= MPI_INTEGER) b = -1
  end subroutine
  subroutine fn_User_function_c(invec, inoutvec, len, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer(kind=MPI_COUNT_KIND) :: len
    type(MPI_Datatype) :: datatype
    call fn_User_function(invec, inoutvec, int(len), datatype)
  end subroutine
  subroutine fn_Datarep_conversion_function(userbuf, datatype, count, filebuf, position, extra_state, ierror)
    type(c_ptr), value :: userbuf, filebuf
    type(MPI_Datatype) :: datatype
    integer :: count, ierror
    integer(kind=MPI_OFFSET_KIND) :: position
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    ierror = MPI_ERR_CONVERSION ! no file uses it
  end subroutine
  subroutine fn_Datarep_conversion_function_c(userbuf, datatype, count, filebuf, position, extra_state, ierror)
    type(c_ptr), value :: userbuf, filebuf
    type(MPI_Datatype) :: datatype
    integer(kind=MPI_COUNT_KIND) :: count
    integer(kind=MPI_OFFSET_KIND) :: position
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    integer :: ierror
    ierror = MPI_ERR_CONVERSION
  end subroutine
#else
  subroutine fn_User_function(invec, inoutvec, len, datatype)
    integer :: len, datatype, invec(len), inoutvec(len)
    inoutvec = invec + inoutvec
    if (datatype /= MPI_INTEGER) inoutvec = -1
  end subroutine
  subroutine fn_Datarep_conversion_function(userbuf, datatype, count, filebuf, position, extra_state, ierror)
    integer :: userbuf(*), filebuf(*), datatype, count, ierror
    integer(kind=MPI_OFFSET_KIND) :: position
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    ierror = MPI_ERR_CONVERSION ! no file uses it
  end subroutine
  subroutine fn_Handler_function(comm, code)
    integer :: comm, code
    errors = errors + 1
  end subroutine
#endif
  subroutine fn_Copy_function(oldcomm, keyval, extra_state, value_in, value_out, flag, ierror)
    T_COMM :: oldcomm
    integer :: keyval, extra_state, value_in, value_out, ierror
    logical :: flag
    value_out = value_in
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine
  subroutine fn_Delete_function(comm, keyval, value, extra_state, ierror)
    T_COMM :: comm
    integer :: keyval, value, extra_state, ierror
    ierror = MPI_SUCCESS
  end subroutine
  subroutine fn_Datarep_extent_function(datatype, extent, extra_state, ierror)
    T_TYPE :: datatype
    integer(kind=MPI_ADDRESS_KIND) :: extent, extra_state
    integer :: ierror
    extent = 4
    ierror = MPI_SUCCESS
  end subroutine
  subroutine fn_Comm_copy_attr_function(oldcomm, comm_keyval, extra_state, attribute_val_in, &
      attribute_val_out, flag, ierror)
    T_COMM :: oldcomm
    integer :: comm_keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
    logical :: flag
    attribute_val_out = attribute_val_in
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine
  subroutine fn_Comm_delete_attr_function(comm, comm_keyval, attribute_val, extra_state, ierror)
    T_COMM :: comm
    integer :: comm_keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: attribute_val, extra_state
    ierror = MPI_SUCCESS
  end subroutine
  subroutine fn_Type_copy_attr_function(oldtype, type_keyval, extra_state, attribute_val_in, &
      attribute_val_out, flag, ierror)
    T_TYPE :: oldtype
    integer :: type_keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
    logical :: flag
    attribute_val_out = attribute_val_in
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine
  subroutine fn_Type_delete_attr_function(datatype, type_keyval, attribute_val, extra_state, ierror)
    T_TYPE :: datatype
    integer :: type_keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: attribute_val, extra_state
    ierror = MPI_SUCCESS
  end subroutine
  subroutine fn_Win_copy_attr_function(oldwin, win_keyval, extra_state, attribute_val_in, &
      attribute_val_out, flag, ierror)
    T_WIN :: oldwin
    integer :: win_keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
    logical :: flag
    attribute_val_out = attribute_val_in
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine
  subroutine fn_Win_delete_attr_function(win, win_keyval, attribute_val, extra_state, ierror)
    T_WIN :: win
    integer :: win_keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: attribute_val, extra_state
    ierror = MPI_SUCCESS
  end subroutine
  subroutine fn_Comm_errhandler_function(comm, error_code)
    T_COMM :: comm
    integer :: error_code
    errors = errors + 1
  end subroutine
  subroutine fn_Win_errhandler_function(win, error_code)
    T_WIN :: win
    integer :: error_code
    errors = errors + 1
  end subroutine
  subroutine fn_File_errhandler_function(file, error_code)
    T_FILE :: file
    integer :: error_code
    errors = errors + 1
  end subroutine
  subroutine fn_Session_errhandler_function(session, error_code)
    T_SESSION :: session
    integer :: error_code
    errors = errors + 1
  end subroutine
  subroutine fn_Grequest_query_function(extra_state, status, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    T_STATUS :: status
    integer :: ierror
    call MPI_Status_set_elements(status, MPI_INTEGER, 4, ierror)
    call MPI_Status_set_cancelled(status, .false., ierror)
    queries = queries + 1
  end subroutine
  subroutine fn_Grequest_free_function(extra_state, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    integer :: ierror
    ierror = MPI_SUCCESS
  end subroutine
  subroutine fn_Grequest_cancel_function(extra_state, complete, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    logical :: complete
    integer :: ierror
    ierror = MPI_SUCCESS
  end subroutine
end module
