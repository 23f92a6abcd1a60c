package io.cleat.state;

/**
 * That something refers to a plugin: a job that is wanted, or an instance on a node. Its health and counts are computed
 * from these and stored nowhere; the row has no more than its versions, and the applier makes, touches and removes it
 * by itself.
 */
public record PluginRow(String id, long createVersion, long modifyVersion) implements Row<PluginRow> {
    @Override
    public PluginRow stamped(long newCreate, long newModify) {
        return new PluginRow(id, newCreate, newModify);
    }
}
