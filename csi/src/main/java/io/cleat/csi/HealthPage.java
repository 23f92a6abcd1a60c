package io.cleat.csi;

import java.util.List;

/**
 * A page of volumes with which something is wrong.
 *
 * @param nextToken empty after the last page
 */
public record HealthPage(List<VolumeHealth> entries, String nextToken) {
    public HealthPage {
        entries = List.copyOf(entries);
    }
}
