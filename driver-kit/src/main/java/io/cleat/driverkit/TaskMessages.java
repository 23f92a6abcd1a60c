package io.cleat.driverkit;

import com.google.protobuf.ByteString;
import io.cleat.base.DriverTrouble;
import io.cleat.driver.ExitResult;
import io.cleat.driver.NetworkMaker;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskHandle;
import io.cleat.driver.TaskNetwork;
import io.cleat.driverschema.DriverProto;
import io.cleat.model.DriverNetwork;
import io.cleat.model.NetworkDns;
import io.cleat.model.Resources;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tasks as they are told of, and as a driver has them. */
final class TaskMessages {
    private static final int SIGNALLED = 128;

    private TaskMessages() {}

    static TaskConfig config(DriverProto.TaskConfig said) throws DriverTrouble {
        Path allocation = Path.of(said.getAllocDir());
        DriverProto.AllocatedTaskResources wanted = said.getResources().getAllocatedResources();
        List<TaskConfig.TaskMount> mounts = new ArrayList<>();
        for (DriverProto.Mount mount : said.getMountsList()) {
            mounts.add(new TaskConfig.TaskMount(
                    Path.of(mount.getHostPath()),
                    mount.getTaskPath(),
                    mount.getReadonly(),
                    mount.getPropagationMode().isEmpty() ? "private" : mount.getPropagationMode(),
                    true));
        }
        return new TaskConfig(
                        said.getId(),
                        said.getAllocId(),
                        said.getName(),
                        Unpacked.block(said.getMsgpackDriverConfig().toByteArray()),
                        said.getEnvMap(),
                        said.getUser(),
                        new Resources(
                                wanted.getCpu().getCpuShares(),
                                wanted.getMemory().getMemoryMb(),
                                wanted.getMemory().getMemoryMaxMb()),
                        allocation.resolve("alloc"),
                        allocation.resolve(said.getName()),
                        mounts,
                        // Output goes where TaskOutput says, and nowhere else.
                        new TaskConfig.Logs(allocation.resolve("alloc/logs"), 1, 1, true))
                .in(network(said));
    }

    private static TaskNetwork network(DriverProto.TaskConfig said) {
        NetworkDns dns = new NetworkDns(
                said.getDns().getServersList(),
                said.getDns().getSearchesList(),
                said.getDns().getOptionsList());
        DriverProto.NetworkIsolationSpec spec = said.getNetworkIsolationSpec();
        if (spec.getPath().isEmpty()) {
            return new TaskNetwork(Optional.empty(), Map.of(), "", List.of(), dns);
        }
        String address = spec.getHostsConfig().getAddress();
        return new TaskNetwork(
                Optional.of(Path.of(spec.getPath())),
                spec.getLabelsMap(),
                spec.getHostsConfig().getHostname(),
                address.isEmpty() ? List.of() : List.of(address),
                dns);
    }

    /** Where a driver has put a task. */
    static DriverProto.NetworkOverride network(DriverNetwork network) {
        return DriverProto.NetworkOverride.newBuilder()
                .setAddr(network.address())
                .putAllPortMap(network.ports())
                .setAutoAdvertise(network.advertised())
                .build();
    }

    /** What a driver has made for an allocation, as it is told of. */
    static DriverProto.NetworkIsolationSpec network(NetworkMaker.Made made) {
        return DriverProto.NetworkIsolationSpec.newBuilder()
                .setMode(DriverProto.NetworkIsolationMode.GROUP)
                .setPath(made.path())
                .putAllLabels(made.labels())
                .build();
    }

    static TaskOutput output(DriverProto.TaskConfig said) {
        return said.getStdoutPath().isEmpty() || said.getStderrPath().isEmpty()
                ? TaskOutput.NOWHERE
                : new TaskOutput(Path.of(said.getStdoutPath()), Path.of(said.getStderrPath()));
    }

    /** What finds the task again, with all that its successor needs to know. */
    static DriverProto.TaskHandle handle(TaskHandle handle, DriverProto.TaskConfig config) {
        return DriverProto.TaskHandle.newBuilder()
                .setVersion(handle.version())
                .setConfig(config)
                .setState(DriverProto.TaskState.RUNNING)
                .setDriverState(ByteString.copyFromUtf8(handle.state()))
                .build();
    }

    /** The protocol tells a code or a signal, not both. */
    static DriverProto.ExitResult end(ExitResult end) {
        return DriverProto.ExitResult.newBuilder()
                .setExitCode(end.signal() == 0 ? end.exitCode() : SIGNALLED + end.signal())
                .setSignal(end.signal())
                .setOomKilled(end.oomKilled())
                .build();
    }
}
