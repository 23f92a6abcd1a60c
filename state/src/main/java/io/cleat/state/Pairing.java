package io.cleat.state;

import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** The claims and attachments that lack each other: what is to be attached and detached. Costs what it finds. */
public final class Pairing {
    private final Tables tables;

    Pairing(Tables tables) {
        this.tables = tables;
    }

    /** The plugins of claims that have no attachment to use. */
    public Set<String> plugins() {
        return tables.unpaired().plugins();
    }

    /**
     * The granted claims of a plugin that have no attachment to use, oldest first: all of them, if it attaches nothing.
     */
    public List<ClaimRow> claims(String pluginId) {
        return tables.unpaired().claims(pluginId).stream()
                .map(tables.claims::get)
                .sorted(Comparator.comparingLong(ClaimRow::createVersion).thenComparing(ClaimRow::id))
                .toList();
    }

    /** The attachments that no claim uses, and those that are being detached. */
    public List<AttachmentRow> attachments() {
        return tables.unpaired().unused().stream().map(tables.attachments::get).toList();
    }

    /** The attachments that are on their way. */
    public List<AttachmentRow> attaching() {
        return tables.attachments.find(Tables.ATTACHMENTS_BY_STATE, AttachmentState.ATTACHING);
    }
}
