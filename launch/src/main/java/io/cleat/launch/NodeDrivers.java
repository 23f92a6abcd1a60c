package io.cleat.launch;

import io.cleat.base.Threads;
import io.cleat.base.Trouble;
import io.cleat.driver.NetworkMaker;
import io.cleat.driver.TaskDriver;
import io.cleat.driver.docker.DockerDriver;
import io.cleat.driver.exec.ExecDriver;
import io.cleat.driver.rawexec.RawExecDriver;
import io.cleat.driverplugin.DriverPlugins;
import io.cleat.driverplugin.PluginParts;
import io.cleat.image.ImageStore;
import io.cleat.kernel.Mounts;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The node's task drivers, put together: those of this program, and those that plugins hold. */
final class NodeDrivers implements AutoCloseable {
    private final DockerDriver docker;
    private final DriverPlugins plugged;
    private final Map<String, TaskDriver> byName;

    private NodeDrivers(DockerDriver docker, DriverPlugins plugged, Map<String, TaskDriver> byName) {
        this.docker = docker;
        this.plugged = plugged;
        this.byName = byName;
    }

    /**
     * Puts them together; what runs already goes on.
     *
     * @param mhz of all processors of the machine together
     */
    static NodeDrivers over(NodeParts parts, Arrangement.Names names, long mhz) throws Trouble, InterruptedException {
        Map<String, TaskDriver> byName = new TreeMap<>();
        RawExecDriver rawExec = rawExec(parts);
        ExecDriver exec = exec(parts, names);
        DockerDriver docker = docker(parts, names);
        List.of(rawExec, exec, docker).forEach(driver -> byName.put(driver.name(), driver));
        DriverPlugins plugged = DriverPlugins.at(
                parts.data().directory("client/drivers"),
                names.driverPlugins(),
                Set.copyOf(byName.keySet()),
                new PluginParts(
                        parts.shim(),
                        parts.cgroups(),
                        parts.processes(),
                        mhz / Runtime.getRuntime().availableProcessors(),
                        parts.ports().threads(),
                        parts.ports().time(),
                        parts.ports().chance(),
                        parts.ports().ids(),
                        parts.outbox()::factsChanged));
        plugged.drivers().forEach(driver -> byName.put(driver.name(), driver));
        return new NodeDrivers(docker, plugged, byName);
    }

    private static RawExecDriver rawExec(NodeParts parts) throws Trouble {
        return new RawExecDriver(
                parts.shim(),
                parts.data().directory("client/shims"),
                parts.cgroups(),
                parts.processes(),
                parts.workers(),
                parts.ports().time());
    }

    private static ExecDriver exec(NodeParts parts, Arrangement.Names names) throws Trouble, InterruptedException {
        Ports ports = parts.ports();
        ImageStore images = new ImageStore(
                parts.data().directory("client/images"),
                names.images(),
                parts.shim(),
                parts.workers(),
                ports.threads(),
                ports.time(),
                ports.ids());
        ExecDriver exec = new ExecDriver(
                names.exec(),
                new ExecDriver.Parts(
                        parts.shim(),
                        parts.data().directory("client/exec"),
                        ExecDriver.pathOfThisProcess(),
                        parts.cgroups(),
                        parts.processes(),
                        Mounts.linux(),
                        parts.workers(),
                        ports.threads(),
                        ports.time(),
                        Optional.of(images),
                        parts.outbox()::factsChanged));
        images.start(exec::layersInUse);
        return exec;
    }

    private static DockerDriver docker(NodeParts parts, Arrangement.Names names) throws Trouble {
        Ports ports = parts.ports();
        return new DockerDriver(
                names.docker(),
                new DockerDriver.Parts(
                        parts.identity().id(),
                        parts.data().directory("client/docker"),
                        parts.shim(),
                        parts.workers(),
                        Mounts.linux(),
                        parts.processes(),
                        ports.threads(),
                        Threads.platform(ports.threads().faults()),
                        ports.time(),
                        ports.chance(),
                        parts.outbox()::factsChanged));
    }

    /** Each by the name that job files say. */
    Map<String, TaskDriver> byName() {
        return byName;
    }

    /** What makes networks for the driver of that name, if it makes its own. */
    Optional<NetworkMaker> networkMaker(String name) {
        return Optional.ofNullable(byName.get(name)).flatMap(TaskDriver::networkMaker);
    }

    /**
     * Removes from now on what an earlier agent left and nobody knows.
     *
     * @param isKnown whether this node knows an allocation
     */
    void tidy(Predicate<String> isKnown) {
        docker.tidy(isKnown);
    }

    /** Takes away what they have made beside tasks, once none runs any more. */
    void release() throws Trouble, InterruptedException {
        // A driver may still be trying out what it needs: a moment, unless a runtime hangs.
        byName.values().forEach(TaskDriver::fingerprint);
        docker.release();
        plugged.end();
    }

    /** Lets go of what they have open; tasks stay as they are. */
    @Override
    public void close() {
        docker.close();
        plugged.close();
    }
}
