package io.cleat.server.decide;

import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.HostVolumeRow;

/**
 * A node has a host volume that was noted.
 *
 * @param path where it is there
 * @param capacity bytes; 0 if its plugin does not say
 */
public record HostVolumeMade(String id, String path, long capacity) implements Command<HostVolumeMade.Reply> {
    /** Noted, if somebody still wants it. */
    public record Reply() {}

    @Override
    public Decision<Change, Reply> decide(ClusterState newest, DecideContext context) {
        Work work = new Work(newest, context);
        newest.hostVolumes()
                .find(HostVolumeRow.key(id))
                .ifPresent(row -> work.add(new Change.HostVolumePut(row.made(path, capacity, work.now()))));
        return work.accept(new Reply());
    }
}
