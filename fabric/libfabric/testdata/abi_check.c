/* Compiles where abi.h agrees with libfabric's headers: places and sizes of fields, and constants. */
#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_eq.h>
#include <rdma/fi_errno.h>

#include "../abi.h"

#define FIELD(ours, theirs, name) \
	_Static_assert(offsetof(struct ours, name) == offsetof(struct theirs, name) && \
	                   sizeof(((struct ours *)0)->name) == sizeof(((struct theirs *)0)->name), \
	               #theirs "." #name " has another place or size")
#define WHOLE(ours, theirs) \
	_Static_assert(sizeof(struct ours) == sizeof(struct theirs), #theirs " has another size")
#define CONSTANT(name) _Static_assert((uint64_t)OFI_##name == (uint64_t)FI_##name, "FI_" #name)

FIELD(ofi_fid, fid, fclass);
FIELD(ofi_fid, fid, context);
FIELD(ofi_fid, fid, ops);

FIELD(ofi_ops, fi_ops, size);
FIELD(ofi_ops, fi_ops, close);
FIELD(ofi_ops, fi_ops, bind);
FIELD(ofi_ops, fi_ops, control);

FIELD(ofi_tx_attr, fi_tx_attr, caps);
FIELD(ofi_tx_attr, fi_tx_attr, mode);
FIELD(ofi_tx_attr, fi_tx_attr, op_flags);
FIELD(ofi_tx_attr, fi_tx_attr, msg_order);
FIELD(ofi_tx_attr, fi_tx_attr, comp_order);
FIELD(ofi_tx_attr, fi_tx_attr, inject_size);
FIELD(ofi_tx_attr, fi_tx_attr, size);
FIELD(ofi_tx_attr, fi_tx_attr, iov_limit);

FIELD(ofi_rx_attr, fi_rx_attr, caps);
FIELD(ofi_rx_attr, fi_rx_attr, mode);
FIELD(ofi_rx_attr, fi_rx_attr, op_flags);
FIELD(ofi_rx_attr, fi_rx_attr, msg_order);
FIELD(ofi_rx_attr, fi_rx_attr, comp_order);
FIELD(ofi_rx_attr, fi_rx_attr, total_buffered_recv);
FIELD(ofi_rx_attr, fi_rx_attr, size);

FIELD(ofi_ep_attr, fi_ep_attr, type);
FIELD(ofi_ep_attr, fi_ep_attr, protocol);
FIELD(ofi_ep_attr, fi_ep_attr, protocol_version);
FIELD(ofi_ep_attr, fi_ep_attr, max_msg_size);

FIELD(ofi_domain_attr, fi_domain_attr, domain);
FIELD(ofi_domain_attr, fi_domain_attr, name);
FIELD(ofi_domain_attr, fi_domain_attr, threading);
FIELD(ofi_domain_attr, fi_domain_attr, control_progress);
FIELD(ofi_domain_attr, fi_domain_attr, data_progress);
FIELD(ofi_domain_attr, fi_domain_attr, resource_mgmt);
FIELD(ofi_domain_attr, fi_domain_attr, av_type);
FIELD(ofi_domain_attr, fi_domain_attr, mr_mode);

FIELD(ofi_fabric_attr, fi_fabric_attr, fabric);
FIELD(ofi_fabric_attr, fi_fabric_attr, name);
FIELD(ofi_fabric_attr, fi_fabric_attr, prov_name);
FIELD(ofi_fabric_attr, fi_fabric_attr, prov_version);
FIELD(ofi_fabric_attr, fi_fabric_attr, api_version);

FIELD(ofi_info, fi_info, next);
FIELD(ofi_info, fi_info, caps);
FIELD(ofi_info, fi_info, mode);
FIELD(ofi_info, fi_info, addr_format);
FIELD(ofi_info, fi_info, src_addrlen);
FIELD(ofi_info, fi_info, dest_addrlen);
FIELD(ofi_info, fi_info, src_addr);
FIELD(ofi_info, fi_info, dest_addr);
FIELD(ofi_info, fi_info, handle);
FIELD(ofi_info, fi_info, tx_attr);
FIELD(ofi_info, fi_info, rx_attr);
FIELD(ofi_info, fi_info, ep_attr);
FIELD(ofi_info, fi_info, domain_attr);
FIELD(ofi_info, fi_info, fabric_attr);

FIELD(ofi_ops_fabric, fi_ops_fabric, size);
FIELD(ofi_ops_fabric, fi_ops_fabric, domain);
FIELD(ofi_ops_fabric, fi_ops_fabric, trywait);

FIELD(ofi_fabric, fid_fabric, fid);
FIELD(ofi_fabric, fid_fabric, ops);

FIELD(ofi_ops_domain, fi_ops_domain, size);
FIELD(ofi_ops_domain, fi_ops_domain, av_open);
FIELD(ofi_ops_domain, fi_ops_domain, cq_open);
FIELD(ofi_ops_domain, fi_ops_domain, endpoint);

FIELD(ofi_ops_mr, fi_ops_mr, size);
FIELD(ofi_ops_mr, fi_ops_mr, reg);

FIELD(ofi_domain, fid_domain, fid);
FIELD(ofi_domain, fid_domain, ops);
FIELD(ofi_domain, fid_domain, mr);

FIELD(ofi_mr, fid_mr, fid);
FIELD(ofi_mr, fid_mr, mem_desc);

FIELD(ofi_ops_av, fi_ops_av, size);
FIELD(ofi_ops_av, fi_ops_av, insert);

FIELD(ofi_av, fid_av, fid);
FIELD(ofi_av, fid_av, ops);

FIELD(ofi_ops_cq, fi_ops_cq, size);
FIELD(ofi_ops_cq, fi_ops_cq, read);
FIELD(ofi_ops_cq, fi_ops_cq, readerr);

FIELD(ofi_cq, fid_cq, fid);
FIELD(ofi_cq, fid_cq, ops);

FIELD(ofi_ops_ep, fi_ops_ep, size);
FIELD(ofi_ops_ep, fi_ops_ep, setopt);

FIELD(ofi_ops_cm, fi_ops_cm, size);
FIELD(ofi_ops_cm, fi_ops_cm, getname);

FIELD(ofi_ops_msg, fi_ops_msg, size);
FIELD(ofi_ops_msg, fi_ops_msg, recvmsg);
FIELD(ofi_ops_msg, fi_ops_msg, send);
FIELD(ofi_ops_msg, fi_ops_msg, sendmsg);

FIELD(ofi_ep, fid_ep, fid);
FIELD(ofi_ep, fid_ep, ops);
FIELD(ofi_ep, fid_ep, cm);
FIELD(ofi_ep, fid_ep, msg);

FIELD(ofi_av_attr, fi_av_attr, type);
FIELD(ofi_av_attr, fi_av_attr, rx_ctx_bits);
FIELD(ofi_av_attr, fi_av_attr, count);
FIELD(ofi_av_attr, fi_av_attr, ep_per_node);
FIELD(ofi_av_attr, fi_av_attr, name);
FIELD(ofi_av_attr, fi_av_attr, map_addr);
FIELD(ofi_av_attr, fi_av_attr, flags);

FIELD(ofi_cq_attr, fi_cq_attr, size);
FIELD(ofi_cq_attr, fi_cq_attr, flags);
FIELD(ofi_cq_attr, fi_cq_attr, format);
FIELD(ofi_cq_attr, fi_cq_attr, wait_obj);
FIELD(ofi_cq_attr, fi_cq_attr, signaling_vector);
FIELD(ofi_cq_attr, fi_cq_attr, wait_cond);
FIELD(ofi_cq_attr, fi_cq_attr, wait_set);

FIELD(ofi_msg, fi_msg, msg_iov);
FIELD(ofi_msg, fi_msg, desc);
FIELD(ofi_msg, fi_msg, iov_count);
FIELD(ofi_msg, fi_msg, addr);
FIELD(ofi_msg, fi_msg, context);
FIELD(ofi_msg, fi_msg, data);

FIELD(ofi_cq_data_entry, fi_cq_data_entry, op_context);
FIELD(ofi_cq_data_entry, fi_cq_data_entry, flags);
FIELD(ofi_cq_data_entry, fi_cq_data_entry, len);
FIELD(ofi_cq_data_entry, fi_cq_data_entry, buf);
FIELD(ofi_cq_data_entry, fi_cq_data_entry, data);

FIELD(ofi_cq_err_entry, fi_cq_err_entry, op_context);
FIELD(ofi_cq_err_entry, fi_cq_err_entry, flags);
FIELD(ofi_cq_err_entry, fi_cq_err_entry, len);
FIELD(ofi_cq_err_entry, fi_cq_err_entry, buf);
FIELD(ofi_cq_err_entry, fi_cq_err_entry, data);
FIELD(ofi_cq_err_entry, fi_cq_err_entry, tag);
FIELD(ofi_cq_err_entry, fi_cq_err_entry, olen);
FIELD(ofi_cq_err_entry, fi_cq_err_entry, err);
FIELD(ofi_cq_err_entry, fi_cq_err_entry, prov_errno);
FIELD(ofi_cq_err_entry, fi_cq_err_entry, err_data);
FIELD(ofi_cq_err_entry, fi_cq_err_entry, err_data_size);

WHOLE(ofi_fid, fid);
WHOLE(ofi_cq_attr, fi_cq_attr);
WHOLE(ofi_msg, fi_msg);
WHOLE(ofi_cq_data_entry, fi_cq_data_entry);
WHOLE(ofi_context2, fi_context2);

CONSTANT(MSG);
CONSTANT(RECV);
CONSTANT(SEND);
CONSTANT(MULTI_RECV);
CONSTANT(COMPLETION);
CONSTANT(SOURCE);
CONSTANT(CONTEXT);
CONSTANT(CONTEXT2);
CONSTANT(MR_LOCAL);
CONSTANT(MR_VIRT_ADDR);
CONSTANT(MR_ALLOCATED);
CONSTANT(MR_PROV_KEY);
CONSTANT(MR_ENDPOINT);
CONSTANT(ORDER_SAS);
CONSTANT(AV_TABLE);
CONSTANT(PROGRESS_AUTO);
CONSTANT(PROGRESS_MANUAL);
CONSTANT(THREAD_DOMAIN);
CONSTANT(RM_ENABLED);
CONSTANT(EP_RDM);
CONSTANT(WAIT_NONE);
CONSTANT(WAIT_FD);
CONSTANT(CQ_FORMAT_DATA);
CONSTANT(GETWAIT);
CONSTANT(ENABLE);
CONSTANT(OPT_ENDPOINT);
CONSTANT(OPT_MIN_MULTI_RECV);
CONSTANT(EAVAIL);
_Static_assert(OFI_VERSION(1, 9) == FI_VERSION(1, 9), "FI_VERSION");
_Static_assert(UINT64_MAX == FI_ADDR_UNSPEC, "FI_ADDR_UNSPEC");
