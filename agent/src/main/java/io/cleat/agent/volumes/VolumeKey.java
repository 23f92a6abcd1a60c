package io.cleat.agent.volumes;

/**
 * What one volume is to its plugin: the key of its lane, its staging path and its users. Two volumes of the catalogue
 * may be one of the provider's.
 */
record VolumeKey(String pluginId, String externalId) {
    static VolumeKey of(GrantedClaim claim) {
        return new VolumeKey(claim.pluginId(), claim.externalId());
    }

    @Override
    public String toString() {
        return pluginId + "/" + externalId;
    }
}
