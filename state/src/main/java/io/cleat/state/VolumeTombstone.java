package io.cleat.state;

import java.time.Instant;

/**
 * A volume that was deregistered while claims, attachments or operations still hold it: it excludes as before, and has
 * what detaching it needs.
 */
public record VolumeTombstone(VolumeRow volume, Instant since, long createVersion, long modifyVersion)
        implements Row<VolumeTombstone> {
    public VolumeKey key() {
        return volume.key();
    }

    @Override
    public VolumeTombstone stamped(long newCreate, long newModify) {
        return new VolumeTombstone(volume, since, newCreate, newModify);
    }
}
