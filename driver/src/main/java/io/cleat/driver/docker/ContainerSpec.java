package io.cleat.driver.docker;

import io.cleat.driver.docker.BlockRights.Device;
import io.cleat.driver.shim.ProcessLimits;
import io.cleat.model.NetworkDns;
import io.cleat.model.Resources;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What an engine is asked to create: the body of {@code POST /containers/create}. */
final class ContainerSpec {
    private static final long MEBI = 1 << 20;

    /** What the kernel takes least. */
    private static final long LEAST_SHARES = 2;

    /** What the engine keeps of output, from which it is copied: 4 MiB while no agent is there. */
    private static final Map<String, Object> KEPT_OUTPUT =
            Map.of("Type", "json-file", "Config", Map.of("max-size", "2m", "max-file", "2"));

    private ContainerSpec() {}

    static Map<String, Object> of(ContainerPlan plan) {
        DockerBlock block = plan.block();
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("Image", plan.image());
        Optional<String> joined = block.joined(plan.config().network());
        if (!plan.hostname().isEmpty()) {
            spec.put("Hostname", plan.hostname());
        }
        spec.put("User", plan.config().user());
        List<String> env = new ArrayList<>();
        new TreeMap<>(plan.config().env()).forEach((name, value) -> env.add(name + "=" + value));
        spec.put("Env", env);
        putUnlessEmpty(spec, "Entrypoint", block.entrypoint());
        putUnlessEmpty(spec, "Cmd", block.command());
        spec.put("WorkingDir", block.workDir());
        spec.put("Labels", plan.labels());
        PublishedPorts ports = joined.isPresent()
                ? new PublishedPorts(List.of())
                : PublishedPorts.of(block, plan.config().ports());
        spec.put("ExposedPorts", ports.exposed());
        spec.put("HostConfig", host(plan, joined, ports));
        return spec;
    }

    /** @param joined the mode of the network of its group; empty where it has one of the engine's */
    private static Map<String, Object> host(ContainerPlan plan, Optional<String> joined, PublishedPorts ports) {
        DockerBlock block = plan.block();
        Map<String, Object> host = new LinkedHashMap<>();
        if (joined.isPresent()) {
            host.put("NetworkMode", joined.get());
        } else {
            host.put("NetworkMode", block.network().isEmpty() ? "bridge" : block.network());
            NetworkDns dns = block.named(plan.config().network()).dns();
            putUnlessEmpty(host, "Dns", dns.servers());
            putUnlessEmpty(host, "DnsSearch", dns.searches());
            putUnlessEmpty(host, "DnsOptions", dns.options());
            putUnlessEmpty(host, "ExtraHosts", block.names().extraHosts());
        }
        host.put("PortBindings", ports.bindings());
        host.put("RestartPolicy", Map.of("Name", "no"));
        host.put("Mounts", plan.mounts());
        putUnlessEmpty(host, "Binds", plan.binds());
        host.put(
                "LogConfig",
                block.logging()
                        .<Map<String, Object>>map(kept -> Map.of("Type", kept.type(), "Config", kept.options()))
                        .orElse(KEPT_OUTPUT));
        limits(plan.config().resources(), block, host);
        rights(plan, host);
        block.shape().init().ifPresent(init -> host.put("Init", init));
        if (block.shape().shmBytes() > 0) {
            host.put("ShmSize", block.shape().shmBytes());
        }
        host.put("ReadonlyRootfs", block.shape().readOnlyRoot());
        return host;
    }

    private static void limits(Resources asked, DockerBlock block, Map<String, Object> host) {
        if (asked.cpuMhz() > 0) {
            host.put("CpuShares", Math.max(LEAST_SHARES, asked.cpuMhz()));
        }
        if (!asked.coreIds().isEmpty()) {
            host.put("CpusetCpus", asked.coreList());
        }
        if (asked.memoryLimitMb() > 0) {
            host.put("Memory", asked.memoryLimitMb() * MEBI);
            // The same: no swap beside it.
            host.put("MemorySwap", asked.memoryLimitMb() * MEBI);
            if (asked.memoryMaxMb() > asked.memoryMb()) {
                host.put("MemoryReservation", asked.memoryMb() * MEBI);
            }
        }
        long pids = block.shape().pids();
        host.put("PidsLimit", pids == 0 ? ProcessLimits.TASKS : pids);
        List<Map<String, Object>> ulimits = new ArrayList<>();
        block.rights()
                .ulimits()
                .forEach(
                        (name, limit) -> ulimits.add(Map.of("Name", name, "Soft", limit.soft(), "Hard", limit.hard())));
        putUnlessEmpty(host, "Ulimits", ulimits);
    }

    private static void rights(ContainerPlan plan, Map<String, Object> host) {
        BlockRights rights = plan.block().rights();
        host.put("Privileged", rights.privileged());
        if (!rights.privileged()) {
            host.put("CapDrop", List.of("ALL"));
            host.put("CapAdd", spelled(capabilities(rights)));
        }
        List<Map<String, Object>> devices = new ArrayList<>(plan.devices());
        for (Device device : rights.devices()) {
            devices.add(device(device.host(), device.container(), device.rights()));
        }
        putUnlessEmpty(host, "Devices", devices);
        putUnlessEmpty(host, "SecurityOpt", rights.security());
        if (!rights.sysctls().isEmpty()) {
            host.put("Sysctls", rights.sysctls());
        }
        Map<String, String> keys = Map.of("pid", "PidMode", "ipc", "IpcMode", "uts", "UTSMode", "userns", "UsernsMode");
        keys.forEach((kind, key) -> {
            if (rights.namespaces().contains(kind)) {
                host.put(key, "host");
            }
        });
    }

    static Map<String, Object> device(String host, String inside, String rights) {
        return Map.of("PathOnHost", host, "PathInContainer", inside, "CgroupPermissions", rights);
    }

    private static Set<String> capabilities(BlockRights rights) {
        Set<String> all = new TreeSet<>(DockerSettings.usualCapabilities());
        if (rights.capDrop().contains("all")) {
            all.clear();
        }
        all.removeAll(rights.capDrop());
        all.addAll(rights.capAdd());
        return all;
    }

    private static List<String> spelled(Set<String> names) {
        return names.stream().map(name -> name.toUpperCase(Locale.ROOT)).toList();
    }

    private static void putUnlessEmpty(Map<String, Object> map, String key, List<?> values) {
        if (!values.isEmpty()) {
            map.put(key, values);
        }
    }
}
