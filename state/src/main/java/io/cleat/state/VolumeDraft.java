package io.cleat.state;

import io.cleat.model.VolumeEvent;
import io.cleat.model.VolumeSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Parts of a {@link VolumeRow} to change. Used by one thread, once. */
final class VolumeDraft {
    private final VolumeRow from;
    private VolumeSpec spec;
    private Encrypted secrets;
    private long capacity;
    private long expandTo;
    private boolean compareOnly;
    private List<VolumeEvent> events;
    private Instant modifiedAt;
    private long createVersion;
    private long modifyVersion;

    VolumeDraft(VolumeRow from) {
        this.from = from;
        this.spec = from.spec();
        this.secrets = from.secrets();
        this.capacity = from.capacity();
        this.expandTo = from.expandTo();
        this.compareOnly = from.compareOnly();
        this.events = from.events();
        this.modifiedAt = from.modifiedAt();
        this.createVersion = from.createVersion();
        this.modifyVersion = from.modifyVersion();
    }

    VolumeDraft spec(VolumeSpec newSpec, Encrypted newSecrets) {
        spec = newSpec;
        secrets = newSecrets;
        return this;
    }

    VolumeDraft capacity(long bytes) {
        capacity = bytes;
        return this;
    }

    VolumeDraft expandTo(long bytes, boolean onlyCompared) {
        expandTo = bytes;
        compareOnly = onlyCompared;
        return this;
    }

    /** Puts these after the others, the oldest ones dropped. */
    VolumeDraft events(List<VolumeEvent> more) {
        List<VolumeEvent> all = new ArrayList<>(events);
        all.addAll(more);
        events = all.subList(Math.max(0, all.size() - VolumeRow.EVENTS_KEPT), all.size());
        return this;
    }

    VolumeDraft modifiedAt(Instant at) {
        modifiedAt = at;
        return this;
    }

    VolumeDraft versions(long create, long modify) {
        createVersion = create;
        modifyVersion = modify;
        return this;
    }

    VolumeRow done() {
        return new VolumeRow(
                spec,
                secrets,
                capacity,
                expandTo,
                compareOnly,
                from.topologies(),
                from.resourceExhausted(),
                events,
                from.createdAt(),
                modifiedAt,
                createVersion,
                modifyVersion);
    }
}
