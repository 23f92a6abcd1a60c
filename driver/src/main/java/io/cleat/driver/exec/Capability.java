package io.cleat.driver.exec;

import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** Names of the kernel's capabilities (capabilities(7)), as job files write them. */
final class Capability {
    /**
     * What a task has that asks for nothing: Nomad's list for its {@code exec} driver without {@code mknod}, since a
     * device in a directory that others see too is opened by them, not by the task.
     */
    static final Set<String> DEFAULTS = Set.of(
            "audit_write",
            "chown",
            "dac_override",
            "fowner",
            "fsetid",
            "kill",
            "net_bind_service",
            "setfcap",
            "setgid",
            "setpcap",
            "setuid",
            "sys_chroot");

    private static final Set<String> OTHERS = Set.of(
            "audit_control",
            "audit_read",
            "block_suspend",
            "bpf",
            "checkpoint_restore",
            "dac_read_search",
            "ipc_lock",
            "ipc_owner",
            "lease",
            "linux_immutable",
            "mac_admin",
            "mac_override",
            "mknod",
            "net_admin",
            "net_broadcast",
            "net_raw",
            "perfmon",
            "sys_admin",
            "sys_boot",
            "sys_module",
            "sys_nice",
            "sys_pacct",
            "sys_ptrace",
            "sys_rawio",
            "sys_resource",
            "sys_time",
            "sys_tty_config",
            "syslog",
            "wake_alarm");

    private Capability() {}

    /** A name as {@code net_raw}, from any of {@code NET_RAW}, {@code CAP_NET_RAW}. */
    static String named(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        return lower.startsWith("cap_") ? lower.substring("cap_".length()) : lower;
    }

    static boolean exists(String name) {
        return DEFAULTS.contains(name) || OTHERS.contains(name);
    }

    /** The names as an OCI runtime takes them, sorted. */
    static Set<String> spelled(Set<String> names) {
        Set<String> spelled = new TreeSet<>();
        names.forEach(name -> spelled.add("CAP_" + name.toUpperCase(Locale.ROOT)));
        return spelled;
    }
}
