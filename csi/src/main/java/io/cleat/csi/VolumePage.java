package io.cleat.csi;

import java.util.List;

/**
 * A page of a plugin's volumes.
 *
 * @param nextToken empty after the last page
 * @param leftOut why a volume that the plugin listed is not among them, for the first few: one that breaks the
 *     specification hides none of the others
 */
public record VolumePage(List<VolumeStatus> entries, String nextToken, List<String> leftOut) {
    public VolumePage {
        entries = List.copyOf(entries);
        leftOut = List.copyOf(leftOut);
    }
}
