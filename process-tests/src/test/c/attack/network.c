/* The agent's API over TCP without its token, its port, and what the network shows. */
#define _GNU_SOURCE
#include "attack.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <net/route.h>
#include <netinet/in.h>
#include <netinet/ip_icmp.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

static struct sockaddr_in api(void) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(setting("port")))};
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return at;
}

/* The status of the answer to these bytes; 0 if the connection just ends. */
static int status_of(const char *request, size_t size) {
    struct sockaddr_in at = api();
    struct timeval patience = {3, 0};
    char answer[4096];
    int connection = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (connect(connection, (struct sockaddr *)&at, sizeof at)) {
        detail("no connection: %s", strerror(errno));
        return -1;
    }
    if (send(connection, request, size, MSG_NOSIGNAL) != (ssize_t)size) {
        return 0;
    }
    size_t got = 0;
    ssize_t part;
    while (got < sizeof answer - 1
           && (part = recv(connection, answer + got, sizeof answer - 1 - got, 0)) > 0) {
        got += (size_t)part;
    }
    answer[got] = 0;
    int status = 0;
    if (sscanf(answer, "HTTP/%*s %d", &status) != 1) {
        return 0;
    }
    if (is_secret(answer, got)) {
        detail("a secret; ");
        return 200;
    }
    return status;
}

static enum verdict is_denied(const char *request, size_t size) {
    int status = status_of(request, size);
    detail("%d", status);
    return status < 0 ? NOT_RUN : status == 0 || status >= 400 ? HELD : BROKEN;
}

struct request {
    const char *method;
    const char *target;
    const char *head;
};

static enum verdict sent(const void *with) {
    const struct request *request = with;
    char text[2048];
    int size = snprintf(text, sizeof text,
                        "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nConnection: close\r\n%s"
                        "Content-Length: 2\r\n\r\n{}",
                        request->method, request->target, setting("port"), request->head);
    return is_denied(text, (size_t)size);
}

static enum verdict raw(const void *with) {
    return is_denied(with, strlen(with));
}

static void ask(void) {
    static const char *const targets[] = {
        "/v1/jobs",
        "/v1/job/neighbour",
        "/v1/allocations",
        "/v1/nodes",
        "/v1/volumes",
        "/v1/plugins",
        "/v1/evaluations",
        "/v1/agent/self",
        "/v1/metrics",
        "/v1/event/stream",
        "/v1/system/gc",
        "/v1/client/stats",
        "/v1/client/fs/ls/x?path=/",
        "/v1/client/allocation/x/exec?command=%5B%22sh%22%5D",
        "/v1/jobs/parse",
        "/v1/validate/job",
        "/v1/operator/raft/configuration",
        "/v1/status/leader",
        "/",
        "/ui/",
        "//v1/jobs",
        "/v1//jobs",
        "/./v1/jobs",
        "/v1/agent/health/../../jobs",
        "/v1/agent/health/..%2f..%2fjobs",
        "/v1/agent/health;/../../jobs",
        "/v1/agent/health%2f..%2f..%2fjobs",
        "/v1/%6aobs",
        "/V1/JOBS",
        "http://127.0.0.1/v1/jobs",
        "/v1/jobs?token=",
        "/v1/jobs#/v1/agent/health",
        "/v1/jobs%00/v1/agent/health",
    };
    static const char *const methods[] = {"GET", "PUT", "POST", "DELETE"};
    static const char *const heads[] = {
        "X-Nomad-Token: \r\n",
        "X-Nomad-Token: 0000000000000000000000000000000000000000000000000000000000000000\r\n",
        "X-Nomad-Token: null\r\n",
        "X-Nomad-Token: a\r\nX-Nomad-Token: b\r\n",
        "Authorization: Bearer \r\n",
        "Authorization: Bearer x\r\n",
        "Authorization: Basic cm9vdDo=\r\n",
        "X-Forwarded-For: 127.0.0.1\r\n",
        "X-Original-URL: /v1/agent/health\r\n",
        "X-Rewrite-URL: /v1/agent/health\r\n",
        "X-HTTP-Method-Override: GET\r\n",
        "Origin: http://evil.example\r\n",
        "Host: evil.example\r\n",
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n",
        "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\nConnection: Upgrade, HTTP2-Settings\r\n",
        "Transfer-Encoding: chunked\r\n",
        "Expect: 100-continue\r\n",
        "Cookie: token=x\r\n",
    };
    static const char *const others[] = {"OPTIONS", "TRACE", "CONNECT", "HEAD", "PATCH", "get", "PRI"};
    static const char *const raws[] = {
        "GET /v1/jobs\r\n\r\n",
        "GET /v1/jobs HTTP/0.9\r\n\r\n",
        "GET /v1/jobs HTTP/1.0\r\n\r\n",
        "GET /v1/jobs HTTP/1.1\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "GET /v1/jobs HTTP/1.1\r\nHost : 127.0.0.1\r\nConnection: close\r\n\r\n",
        "GET /v1/jobs HTTP/1.1\nHost: localhost\nConnection: close\n\n",
        "\r\nGET /v1/jobs HTTP/1.0\r\nX-Nomad-Token:\r\n\r\n",
        "GET /v1/jobs HTTP/1.1\r\nHost: 127.0.0.1\r\n X-Nomad-Token: x\r\nConnection: close\r\n\r\n",
        "\026\003\001\002",
    };
    char name[256];
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
            struct request request = {methods[k], targets[i], ""};
            snprintf(name, sizeof name, "%s_%s", methods[k], targets[i]);
            attempt("api", name, sent, &request);
        }
    }
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        struct request request = {"GET", "/v1/jobs", heads[i]};
        snprintf(name, sizeof name, "head_%zu_%.*s", i, (int)strcspn(heads[i], ":"), heads[i]);
        attempt("api", name, sent, &request);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct request request = {others[i], "/v1/jobs", ""};
        snprintf(name, sizeof name, "method_%s", others[i]);
        attempt("api", name, sent, &request);
    }
    for (size_t i = 0; i < sizeof raws / sizeof *raws; i++) {
        snprintf(name, sizeof name, "bytes_%zu", i);
        attempt("api", name, raw, raws[i]);
    }
}

static long take_port(uint32_t address, int option) {
    struct sockaddr_in at = api();
    int one = 1;
    at.sin_addr.s_addr = htonl(address);
    int own = socket(AF_INET, SOCK_STREAM, 0);
    if (option) {
        setsockopt(own, SOL_SOCKET, option, &one, sizeof one);
    }
    return bind(own, (struct sockaddr *)&at, sizeof at) ? -1 : listen(own, 1);
}

/* What netlink answers to a request that changes something. */
static long netlink(int protocol, uint16_t type) {
    struct {
        struct nlmsghdr head;
        char rest[64];
    } request = {.head = {.nlmsg_len = sizeof request,
                          .nlmsg_type = type,
                          .nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK}};
    struct {
        struct nlmsghdr head;
        struct nlmsgerr error;
        char rest[512];
    } answer;
    struct timeval patience = {2, 0};
    int link = socket(AF_NETLINK, SOCK_RAW, protocol);
    setsockopt(link, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (link < 0 || send(link, &request, sizeof request, 0) < 0) {
        return -1;
    }
    if (recv(link, &answer, sizeof answer, 0) < (ssize_t)sizeof(struct nlmsghdr)) {
        return -1;
    }
    if (answer.head.nlmsg_type == NLMSG_ERROR && answer.error.error) {
        /* Whatever else it says, it says after it has looked for the right. */
        errno = answer.error.error == -EPERM ? EPERM : EINVAL;
        return -1;
    }
    return 0;
}

static long interface(unsigned long request) {
    struct ifreq of = {.ifr_name = "lo"};
    int any = socket(AF_INET, SOCK_DGRAM, 0);
    if (request == SIOCSIFMTU && ioctl(any, SIOCGIFMTU, &of)) {
        return -1;
    }
    return ioctl(any, request, &of);
}

static long neighbour_entry(void) {
    struct arpreq entry = {.arp_flags = ATF_COM | ATF_PERM, .arp_dev = "lo"};
    struct sockaddr_in *at = (struct sockaddr_in *)&entry.arp_pa;
    at->sin_family = AF_INET;
    at->sin_addr.s_addr = htonl(0x7f090909);
    return ioctl(socket(AF_INET, SOCK_DGRAM, 0), SIOCSARP, &entry);
}

static long option(int level, int name, int value) {
    return setsockopt(socket(AF_INET, SOCK_STREAM, 0), level, name, &value, sizeof value);
}

static long low_port(void) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(1)};
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return bind(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&at, sizeof at);
}

/* By the call of 32-bit programs, whose arguments lie behind a pointer that no filter looks at. */
static long old_socket(int family, int type) {
#ifdef __x86_64__
    enum { SOCKETCALL = 102, SYS_SOCKET_OF_IT = 1 };
    int *words = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    if (words == MAP_FAILED) {
        return -1;
    }
    words[0] = family;
    words[1] = type;
    words[2] = 0;
    int result;
    __asm__ volatile("int $0x80"
                     : "=a"(result)
                     : "a"(SOCKETCALL), "b"(SYS_SOCKET_OF_IT), "c"(words)
                     : "memory", "r8", "r9", "r10", "r11");
    if (result < 0) {
        errno = -result;
        return -1;
    }
    return result;
#else
    (void)family;
    (void)type;
    errno = ENOSYS;
    return -1;
#endif
}

/* To each abstract socket that the network namespace shows and that is the agent's or a shim's. */
static long abstract_sockets(void) {
    char line[LONGEST];
    FILE *list = fopen("/proc/net/unix", "r");
    while (list && fgets(line, sizeof line, list)) {
        char *name = strchr(line, '@');
        if (name && (strstr(name, "cleat") || strstr(name, setting("root")))) {
            detail("%s", name);
            return 0;
        }
    }
    errno = ENOENT;
    return -1;
}

/* The kernel looks at the lower half of a family only; whoever filters must, too. */
static long wide_socket(long family, long type) {
    return syscall(SYS_socket, family | (1L << 32), type, 0);
}

#define OF_CONTAINERS(X) \
    X(packets, socket(AF_PACKET, SOCK_RAW, 0)) \
    X(packets_cooked, socket(AF_PACKET, SOCK_DGRAM, 0)) \
    X(raw_icmp, socket(AF_INET, SOCK_RAW, IPPROTO_ICMP)) \
    X(raw_tcp, socket(AF_INET, SOCK_RAW, IPPROTO_TCP)) \
    X(raw_all, socket(AF_INET, SOCK_RAW, IPPROTO_RAW)) \
    X(raw_icmp_6, socket(AF_INET6, SOCK_RAW, IPPROTO_ICMPV6)) \
    X(sockets_of_machines, socket(AF_VSOCK, SOCK_STREAM, 0)) \
    X(sockets_of_machines_by_high_bits, wide_socket(AF_VSOCK, SOCK_STREAM)) \
    X(sockets_of_ciphers, socket(AF_ALG, SOCK_SEQPACKET, 0)) \
    X(sockets_of_ciphers_by_high_bits, wide_socket(AF_ALG, SOCK_SEQPACKET)) \
    X(sockets_of_machines_by_old_call, old_socket(AF_VSOCK, SOCK_STREAM)) \
    X(sockets_of_ciphers_by_old_call, old_socket(AF_ALG, SOCK_SEQPACKET)) \
    X(sockets_of_keys, socket(AF_KEY, SOCK_RAW, 2)) \
    X(sockets_of_reliable_datagrams, socket(21, SOCK_SEQPACKET, 0)) \
    X(sockets_of_clusters, socket(30, SOCK_SEQPACKET, 0)) \
    X(netlink_new_link, netlink(NETLINK_ROUTE, RTM_NEWLINK)) \
    X(netlink_set_link, netlink(NETLINK_ROUTE, RTM_SETLINK)) \
    X(netlink_new_address, netlink(NETLINK_ROUTE, RTM_NEWADDR)) \
    X(netlink_new_route, netlink(NETLINK_ROUTE, RTM_NEWROUTE)) \
    X(netlink_no_route, netlink(NETLINK_ROUTE, RTM_DELROUTE)) \
    X(netlink_new_rule, netlink(NETLINK_ROUTE, RTM_NEWRULE)) \
    X(netlink_new_neighbour, netlink(NETLINK_ROUTE, RTM_NEWNEIGH)) \
    X(netlink_new_queue, netlink(NETLINK_ROUTE, RTM_NEWQDISC)) \
    X(netlink_filter, netlink(NETLINK_NETFILTER, 0x0a00)) \
    X(netlink_audit, netlink(NETLINK_AUDIT, 1001)) \
    X(netlink_transform, netlink(NETLINK_XFRM, 0x10)) \
    X(flags_of_interface, interface(SIOCSIFFLAGS)) \
    X(mtu_of_interface, interface(SIOCSIFMTU)) \
    X(hardware_address, interface(SIOCSIFHWADDR)) \
    X(neighbour_entry, neighbour_entry()) \
    X(option_mark, option(SOL_SOCKET, SO_MARK, 1)) \
    X(option_send_force, option(SOL_SOCKET, SO_SNDBUFFORCE, 1 << 20)) \
    X(option_receive_force, option(SOL_SOCKET, SO_RCVBUFFORCE, 1 << 20)) \
    X(option_debug, option(SOL_SOCKET, SO_DEBUG, 1)) \
    X(option_transparent, option(IPPROTO_IP, IP_TRANSPARENT, 1)) \
    X(option_repair, option(IPPROTO_TCP, TCP_REPAIR, 1))

#define OF_ALL(X) \
    X(take_port, take_port(INADDR_LOOPBACK, 0)) \
    X(take_port_again, take_port(INADDR_LOOPBACK, SO_REUSEADDR)) \
    X(take_port_too, take_port(INADDR_LOOPBACK, SO_REUSEPORT)) \
    X(take_port_everywhere, take_port(INADDR_ANY, 0)) \
    X(take_port_everywhere_again, take_port(INADDR_ANY, SO_REUSEADDR)) \
    X(take_port_everywhere_too, take_port(INADDR_ANY, SO_REUSEPORT)) \
    X(abstract_sockets_of_ours, abstract_sockets())

typedef long (*call)(void);

#define FUNCTION(name, expression)                                                                 \
    static long try_##name(void) {                                                                 \
        return (expression);                                                                       \
    }
OF_CONTAINERS(FUNCTION)
OF_ALL(FUNCTION)

#define ENTRY(name, expression) {#name, try_##name},
static const struct {
    const char *name;
    call make;
} of_containers[] = {OF_CONTAINERS(ENTRY)}, of_all[] = {OF_ALL(ENTRY)};

static enum verdict made(const void *with) {
    errno = 0;
    return refused((*(const call *)with)());
}

static enum verdict takes_low_port(const void *with) {
    (void)with;
    char first[16] = "1024";
    int file = open("/proc/sys/net/ipv4/ip_unprivileged_port_start", O_RDONLY);
    if (read(file, first, sizeof first - 1) > 0 && atoi(first) <= 1) {
        detail("the machine lets everybody");
        return NOT_RUN;
    }
    return refused(low_port());
}

void attack_network(int is_task) {
    ask();
    for (size_t i = 0; i < sizeof of_all / sizeof *of_all; i++) {
        attempt("network", of_all[i].name, made, &of_all[i].make);
    }
    /* What a user of the machine may do there is the machine's to say. */
    for (size_t i = 0; is_task && i < sizeof of_containers / sizeof *of_containers; i++) {
        attempt("network", of_containers[i].name, made, &of_containers[i].make);
    }
    if (is_task && !is_root()) {
        attempt("network", "low_port", takes_low_port, NULL);
    }
}
