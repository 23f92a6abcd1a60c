package io.cleat.state;

/**
 * A provider's volume: what excludes other users. Two volume rows may name one of these; then their claims count
 * together.
 */
public record VolumeKey(String pluginId, String externalId) implements Comparable<VolumeKey> {
    @Override
    public int compareTo(VolumeKey other) {
        int byPlugin = pluginId.compareTo(other.pluginId);
        return byPlugin != 0 ? byPlugin : externalId.compareTo(other.externalId);
    }

    @Override
    public String toString() {
        return pluginId + "/" + externalId;
    }
}
