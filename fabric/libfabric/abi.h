/* What gompi uses of libfabric's binary interface, by its own names, so that the library is built without
 * libfabric's headers and one binary runs with every version from 1.9 on. All that is declared here has kept
 * its place since ABI 1.3 (libfabric 1.9). Structures that the library makes may be longer than declared;
 * those that gompi makes have the length that an application of version 1.9 gives them. abi_test.go compares
 * this file with the headers of libfabric. */
#ifndef GOMPI_FABRIC_ABI_H
#define GOMPI_FABRIC_ABI_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

#define OFI_VERSION(major, minor) ((uint32_t)(major) << 16 | (minor))

/* Capabilities, flags of operations and of completions. */
#define OFI_MSG (1ULL << 1)
#define OFI_RECV (1ULL << 10)
#define OFI_SEND (1ULL << 11)
#define OFI_MULTI_RECV (1ULL << 16)
#define OFI_COMPLETION (1ULL << 24)
#define OFI_SOURCE (1ULL << 57)

/* Modes of contexts. */
#define OFI_CONTEXT (1ULL << 59)
#define OFI_CONTEXT2 (1ULL << 52)

/* Modes of registration. */
#define OFI_MR_LOCAL (1 << 2)
#define OFI_MR_VIRT_ADDR (1 << 4)
#define OFI_MR_ALLOCATED (1 << 5)
#define OFI_MR_PROV_KEY (1 << 6)
#define OFI_MR_ENDPOINT (1 << 9)

#define OFI_ORDER_SAS (1ULL << 8)

enum { OFI_AV_TABLE = 2 };
enum { OFI_PROGRESS_AUTO = 1, OFI_PROGRESS_MANUAL = 2 };
enum { OFI_THREAD_DOMAIN = 3 };
enum { OFI_RM_ENABLED = 2 };
enum { OFI_EP_RDM = 3 };
enum { OFI_WAIT_NONE = 0, OFI_WAIT_FD = 3 };
enum { OFI_CQ_FORMAT_DATA = 3 };
enum { OFI_GETWAIT = 5, OFI_ENABLE = 6 };
enum { OFI_OPT_ENDPOINT = 0 };
enum { OFI_OPT_MIN_MULTI_RECV = 0 };

/* Errors: those of the system are its own numbers. */
enum { OFI_EAVAIL = 259 };

struct ofi_ops;
struct ofi_fabric;
struct ofi_domain;
struct ofi_mr;
struct ofi_av;
struct ofi_cq;
struct ofi_ep;

struct ofi_fid {
	size_t fclass;
	void *context;
	struct ofi_ops *ops;
};

struct ofi_ops {
	size_t size;
	int (*close)(struct ofi_fid *);
	int (*bind)(struct ofi_fid *, struct ofi_fid *to, uint64_t flags);
	int (*control)(struct ofi_fid *, int command, void *arg);
};

/* What is asked of an endpoint and what it offers. */

struct ofi_tx_attr {
	uint64_t caps;
	uint64_t mode;
	uint64_t op_flags;
	uint64_t msg_order;
	uint64_t comp_order;
	size_t inject_size;
	size_t size;
	size_t iov_limit;
};

struct ofi_rx_attr {
	uint64_t caps;
	uint64_t mode;
	uint64_t op_flags;
	uint64_t msg_order;
	uint64_t comp_order;
	size_t total_buffered_recv;
	size_t size;
};

struct ofi_ep_attr {
	int type;
	uint32_t protocol;
	uint32_t protocol_version;
	size_t max_msg_size;
};

struct ofi_domain_attr {
	struct ofi_domain *domain;
	char *name;
	int threading;
	int control_progress;
	int data_progress;
	int resource_mgmt;
	int av_type;
	int mr_mode;
};

struct ofi_fabric_attr {
	struct ofi_fabric *fabric;
	char *name;
	char *prov_name;
	uint32_t prov_version;
	uint32_t api_version;
};

struct ofi_info {
	struct ofi_info *next;
	uint64_t caps;
	uint64_t mode;
	uint32_t addr_format;
	size_t src_addrlen;
	size_t dest_addrlen;
	void *src_addr;
	void *dest_addr;
	struct ofi_fid *handle;
	struct ofi_tx_attr *tx_attr;
	struct ofi_rx_attr *rx_attr;
	struct ofi_ep_attr *ep_attr;
	struct ofi_domain_attr *domain_attr;
	struct ofi_fabric_attr *fabric_attr;
};

/* Objects and the calls through them. A slot of a table that gompi does not call is unused_*. */

struct ofi_ops_fabric {
	size_t size;
	int (*domain)(struct ofi_fabric *, struct ofi_info *, struct ofi_domain **, void *context);
	void (*unused_passive_ep)(void);
	void (*unused_eq_open)(void);
	void (*unused_wait_open)(void);
	int (*trywait)(struct ofi_fabric *, struct ofi_fid **, int count);
};

struct ofi_fabric {
	struct ofi_fid fid;
	struct ofi_ops_fabric *ops;
};

struct ofi_av_attr {
	int type;
	int rx_ctx_bits;
	size_t count;
	size_t ep_per_node;
	const char *name;
	void *map_addr;
	uint64_t flags;
};

struct ofi_cq_attr {
	size_t size;
	uint64_t flags;
	int format;
	int wait_obj;
	int signaling_vector;
	int wait_cond;
	void *wait_set;
};

struct ofi_ops_domain {
	size_t size;
	int (*av_open)(struct ofi_domain *, struct ofi_av_attr *, struct ofi_av **, void *context);
	int (*cq_open)(struct ofi_domain *, struct ofi_cq_attr *, struct ofi_cq **, void *context);
	int (*endpoint)(struct ofi_domain *, struct ofi_info *, struct ofi_ep **, void *context);
};

struct ofi_ops_mr {
	size_t size;
	int (*reg)(struct ofi_fid *, const void *buf, size_t len, uint64_t access, uint64_t offset,
	           uint64_t requested_key, uint64_t flags, struct ofi_mr **, void *context);
};

struct ofi_domain {
	struct ofi_fid fid;
	struct ofi_ops_domain *ops;
	struct ofi_ops_mr *mr;
};

struct ofi_mr {
	struct ofi_fid fid;
	void *mem_desc;
};

struct ofi_ops_av {
	size_t size;
	int (*insert)(struct ofi_av *, const void *addr, size_t count, uint64_t *peers, uint64_t flags,
	              void *context);
};

struct ofi_av {
	struct ofi_fid fid;
	struct ofi_ops_av *ops;
};

struct ofi_cq_data_entry {
	void *op_context;
	uint64_t flags;
	size_t len;
	void *buf;
	uint64_t data;
};

struct ofi_cq_err_entry {
	void *op_context;
	uint64_t flags;
	size_t len;
	void *buf;
	uint64_t data;
	uint64_t tag;
	size_t olen;
	int err;
	int prov_errno;
	void *err_data;
	size_t err_data_size;
};

struct ofi_ops_cq {
	size_t size;
	ssize_t (*read)(struct ofi_cq *, void *entries, size_t count);
	void (*unused_readfrom)(void);
	ssize_t (*readerr)(struct ofi_cq *, struct ofi_cq_err_entry *, uint64_t flags);
};

struct ofi_cq {
	struct ofi_fid fid;
	struct ofi_ops_cq *ops;
};

struct ofi_msg {
	const struct iovec *msg_iov;
	void **desc;
	size_t iov_count;
	uint64_t addr;
	void *context;
	uint64_t data;
};

struct ofi_ops_ep {
	size_t size;
	void (*unused_cancel)(void);
	void (*unused_getopt)(void);
	int (*setopt)(struct ofi_fid *, int level, int name, const void *value, size_t len);
};

struct ofi_ops_cm {
	size_t size;
	void (*unused_setname)(void);
	int (*getname)(struct ofi_fid *, void *addr, size_t *len);
};

struct ofi_ops_msg {
	size_t size;
	void (*unused_recv)(void);
	void (*unused_recvv)(void);
	ssize_t (*recvmsg)(struct ofi_ep *, const struct ofi_msg *, uint64_t flags);
	ssize_t (*send)(struct ofi_ep *, const void *buf, size_t len, void *desc, uint64_t to, void *context);
	void (*unused_sendv)(void);
	ssize_t (*sendmsg)(struct ofi_ep *, const struct ofi_msg *, uint64_t flags);
};

struct ofi_ep {
	struct ofi_fid fid;
	struct ofi_ops_ep *ops;
	struct ofi_ops_cm *cm;
	struct ofi_ops_msg *msg;
};

/* Memory that a provider may use as long as an operation is under way. */
struct ofi_context2 {
	void *internal[8];
};

#endif
