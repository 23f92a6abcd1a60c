package io.cleat.csi;

import java.util.List;

/**
 * A page of a plugin's volumes.
 *
 * @param nextToken empty after the last page
 */
public record VolumePage(List<VolumeStatus> entries, String nextToken) {
    public VolumePage {
        entries = List.copyOf(entries);
    }
}
