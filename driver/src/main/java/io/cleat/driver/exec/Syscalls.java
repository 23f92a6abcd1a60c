package io.cleat.driver.exec;

import io.cleat.base.InvariantBroken;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which system calls a container may make, as the {@code seccomp} part of an OCI configuration; the names are in
 * {@code syscalls.txt}.
 */
final class Syscalls {
    private static final String RESOURCE = "syscalls.txt";
    private static final String ALLOW = "SCMP_ACT_ALLOW";
    private static final int EPERM = 1;
    private static final int ENOSYS = 38;

    /**
     * The families of sockets that programs use: AF_UNIX, AF_INET, AF_INET6, AF_NETLINK and AF_PACKET, which wants a
     * right besides. Others are ways to the hypervisor (AF_VSOCK) or to parts of the kernel that are seldom used and
     * seldom looked at (AF_ALG, CVE-2026-31431).
     */
    private static final List<Long> FAMILIES = List.of(1L, 2L, 10L, 16L, 17L);

    /** The part of an argument that the kernel reads where it wants an int: the lower half. */
    private static final long INT = 0xFFFFFFFFL;

    /** Every CLONE_NEW flag: new namespaces are the runtime's to make. */
    private static final long NEW_NAMESPACES = 0x7E020000L;

    /** What programs ask for that are of another age: PER_LINUX, PER_LINUX32, and without random. */
    private static final List<Long> PERSONALITIES = List.of(0L, 0x0008L, 0x20000L, 0x20008L, 0xFFFFFFFFL);

    private final Map<String, Set<String>> groups;
    private final String processor;

    private Syscalls(Map<String, Set<String>> groups, String processor) {
        this.groups = groups;
        this.processor = processor;
    }

    /** Those for a processor of this machine. */
    static Syscalls read() {
        String machine = System.getProperty("os.arch", "");
        return new Syscalls(parse(), machine.equals("amd64") ? "x86_64" : machine);
    }

    private static Map<String, Set<String>> parse() {
        Map<String, Set<String>> groups = new LinkedHashMap<>();
        try (InputStream file = Syscalls.class.getResourceAsStream(RESOURCE)) {
            if (file == null) {
                throw new InvariantBroken("the list of system calls is in the jar", RESOURCE);
            }
            String group = "";
            BufferedReader lines = new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("[")) {
                    group = line.substring(1, line.length() - 1);
                } else if (!line.isBlank() && !line.startsWith("#")) {
                    groups.computeIfAbsent(group, g -> new TreeSet<>()).addAll(List.of(line.split(" ", -1)));
                }
            }
            return groups;
        } catch (IOException unreadable) {
            throw new InvariantBroken("the list of system calls can be read", unreadable.toString());
        }
    }

    /** The names that a holder of these capabilities may call whatever the arguments, sorted. */
    Set<String> open(Set<String> capabilities) {
        Set<String> open = new TreeSet<>(group("everybody"));
        open.addAll(group("processor " + processor));
        capabilities.forEach(name -> open.addAll(group("capability " + name)));
        return open;
    }

    private Set<String> group(String name) {
        return groups.getOrDefault(name, Set.of());
    }

    /** The configuration for a holder of these capabilities. */
    Map<String, Object> profile(Set<String> capabilities) {
        Set<String> open = open(capabilities);
        List<Object> rules = new ArrayList<>();
        rules.add(Map.of("names", List.copyOf(open), "action", ALLOW));
        FAMILIES.forEach(family -> rules.add(rule("socket", INT, family, "SCMP_CMP_MASKED_EQ")));
        PERSONALITIES.forEach(value -> rules.add(rule("personality", value, 0, "SCMP_CMP_EQ")));
        if (!open.contains("clone")) {
            rules.add(rule("clone", NEW_NAMESPACES, 0, "SCMP_CMP_MASKED_EQ"));
            // Its flags lie behind a pointer that cannot be looked at; so C libraries use clone.
            rules.add(Map.of("names", List.of("clone3"), "action", "SCMP_ACT_ERRNO", "errnoRet", ENOSYS));
        }
        return Map.of(
                "defaultAction",
                "SCMP_ACT_ERRNO",
                "defaultErrnoRet",
                EPERM,
                "architectures",
                architectures(),
                "syscalls",
                rules);
    }

    private static Map<String, Object> rule(String call, long value, long second, String operator) {
        return Map.of(
                "names",
                List.of(call),
                "action",
                ALLOW,
                "args",
                List.of(Map.of("index", 0, "value", value, "valueTwo", second, "op", operator)));
    }

    private List<String> architectures() {
        return switch (processor) {
            case "x86_64" -> List.of("SCMP_ARCH_X86_64", "SCMP_ARCH_X86", "SCMP_ARCH_X32");
            case "aarch64" -> List.of("SCMP_ARCH_AARCH64", "SCMP_ARCH_ARM");
            default -> List.of();
        };
    }
}
