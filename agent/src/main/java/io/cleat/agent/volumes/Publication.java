package io.cleat.agent.volumes;

import io.cleat.model.VolumeId;
import java.nio.file.Path;

/**
 * A volume published for one allocation, seen in the mount table.
 *
 * @param path on the host
 */
public record Publication(String allocId, String alias, VolumeId volume, long epoch, Path path, boolean readOnly) {}
