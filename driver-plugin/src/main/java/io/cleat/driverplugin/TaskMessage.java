package io.cleat.driverplugin;

import com.google.protobuf.ByteString;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskNetwork;
import io.cleat.driverschema.DriverProto;
import io.cleat.model.NetworkDns;
import io.cleat.model.Resources;
import java.util.Map;

/** A task to be started, as plugins are told of it. */
final class TaskMessage {
    private static final long MEBI = 1 << 20;

    /** What a share of all processors is counted in, in microseconds. */
    private static final long PERIOD = 100_000;

    private TaskMessage() {}

    /**
     * @param config its own block, as the plugin wants it
     * @param out where it writes its output
     * @param err where it writes its errors
     * @param mhz of all processors together
     */
    static DriverProto.TaskConfig of(TaskConfig task, byte[] config, String out, String err, long mhz) {
        Map<String, String> env = task.env();
        DriverProto.TaskConfig.Builder message = DriverProto.TaskConfig.newBuilder()
                .setId(task.id())
                .setName(task.task())
                .setMsgpackDriverConfig(ByteString.copyFrom(config))
                .putAllEnv(env)
                .setResources(resources(task.resources(), mhz))
                .setUser(task.user())
                .setAllocDir(String.valueOf(task.taskDir().getParent()))
                .setStdoutPath(out)
                .setStderrPath(err)
                .setAllocId(task.allocId())
                .setTaskGroupName(env.getOrDefault("NOMAD_GROUP_NAME", ""))
                .setJobName(env.getOrDefault("NOMAD_JOB_NAME", ""))
                .setJobId(env.getOrDefault("NOMAD_JOB_ID", ""))
                .setParentJobId(env.getOrDefault("NOMAD_JOB_PARENT_ID", ""))
                .setNamespace(env.getOrDefault("NOMAD_NAMESPACE", ""));
        for (TaskConfig.TaskMount mount : task.mounts()) {
            message.addMounts(DriverProto.Mount.newBuilder()
                    .setTaskPath(mount.taskPath())
                    .setHostPath(mount.hostPath().toString())
                    .setReadonly(mount.readOnly())
                    .setPropagationMode(mount.propagation()));
        }
        putNetwork(task.network(), message);
        return message.build();
    }

    private static void putNetwork(TaskNetwork network, DriverProto.TaskConfig.Builder message) {
        network.namespace()
                .ifPresent(path -> message.setNetworkIsolationSpec(DriverProto.NetworkIsolationSpec.newBuilder()
                        .setMode(DriverProto.NetworkIsolationMode.GROUP)
                        .setPath(path.toString())
                        .putAllLabels(network.labels())
                        .setHostsConfig(DriverProto.HostsConfig.newBuilder()
                                .setHostname(network.hostname())
                                .setAddress(
                                        network.addresses().stream().findFirst().orElse("")))));
        if (!network.dns().equals(NetworkDns.OF_NODE)) {
            message.setDns(DriverProto.DNSConfig.newBuilder()
                    .addAllServers(network.dns().servers())
                    .addAllSearches(network.dns().searches())
                    .addAllOptions(network.dns().options()));
        }
    }

    private static DriverProto.Resources resources(Resources wanted, long mhz) {
        double part = mhz == 0 ? 0 : (double) wanted.cpuMhz() / mhz;
        return DriverProto.Resources.newBuilder()
                .setAllocatedResources(DriverProto.AllocatedTaskResources.newBuilder()
                        .setCpu(DriverProto.AllocatedCpuResources.newBuilder().setCpuShares(wanted.cpuMhz()))
                        .setMemory(DriverProto.AllocatedMemoryResources.newBuilder()
                                .setMemoryMb(wanted.memoryMb())
                                .setMemoryMaxMb(wanted.memoryMaxMb())))
                .setLinuxResources(DriverProto.LinuxResources.newBuilder()
                        .setCpuShares(wanted.cpuMhz())
                        .setCpusetCpus(wanted.coreList())
                        .setCpuPeriod(PERIOD)
                        .setCpuQuota(
                                Math.round(part * PERIOD * Runtime.getRuntime().availableProcessors()))
                        .setMemoryLimitBytes(wanted.memoryLimitMb() * MEBI)
                        .setPercentTicks(part))
                .build();
    }
}
