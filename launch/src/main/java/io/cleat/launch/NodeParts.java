package io.cleat.launch;

import io.cleat.agent.NodeIdentity;
import io.cleat.agent.report.Outbox;
import io.cleat.base.Trouble;
import io.cleat.kernel.BootId;
import io.cleat.kernel.Cgroups;
import io.cleat.kernel.PathWorkers;
import io.cleat.kernel.Processes;
import io.cleat.kernel.WatchedMounts;
import java.nio.file.Path;
import java.util.List;

/**
 * What all of a node works with: its directory and identity, this machine's kernel, and what is to be told.
 *
 * @param client where the node keeps its files and directories
 * @param shim the native program
 * @param outbox what is told to a server once one is there
 */
record NodeParts(
        DataDirectory data,
        Path client,
        Path shim,
        NodeIdentity identity,
        BootId boot,
        Processes processes,
        Cgroups cgroups,
        PathWorkers workers,
        WatchedMounts mounts,
        Outbox outbox,
        Ports ports) {

    /** Reads who the node is, or makes a new one where none ever was. */
    static NodeParts open(DataDirectory data, Path shim, Ports ports) throws Trouble {
        Path client = data.directory("client");
        NodeIdentity identity = NodeIdentity.at(
                client.resolve("node"), List.of(journalFile(client), allocationFiles(client)), ports.ids());
        return new NodeParts(
                data,
                client,
                shim,
                identity,
                BootId.read(),
                Processes.linux(),
                Cgroups.linux(cgroup(identity), ports.time()),
                new PathWorkers(shim, ports.threads(), ports.time()),
                WatchedMounts.open(ports.time()),
                new Outbox(),
                ports);
    }

    /** The journal of volumes. */
    Path journalFile() {
        return journalFile(client);
    }

    /** The directory of the files in which allocations are written down. */
    Path allocationFiles() {
        return allocationFiles(client);
    }

    private static Path journalFile(Path client) {
        return client.resolve("volumes.journal");
    }

    private static Path allocationFiles(Path client) {
        return client.resolve("allocations");
    }

    /** The name of the cgroup of all that the node runs. */
    String cgroup() {
        return cgroup(identity);
    }

    private static String cgroup(NodeIdentity identity) {
        return "cleat-" + identity.id().substring(0, 8);
    }
}
