package io.cleat.localplugin;

import io.cleat.csi.v1.VolumeCapability.AccessMode.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What the pool remembers of one volume. Stagings and publications are what was asked for; whether
 * they are there is answered by the mount table alone.
 *
 * @param name the name it was created under, unique in the pool
 * @param bytes the size promised; 0 for a directory created without one
 * @param order grows with each creation; lists are sorted by it
 */
record Volume(
        String id,
        String name,
        VolumeType type,
        long bytes,
        long order,
        List<Attachment> attachments,
        List<Staging> stagings,
        List<Publication> publications) {
    Volume {
        attachments = List.copyOf(attachments);
        stagings = List.copyOf(stagings);
        publications = List.copyOf(publications);
    }

    static Volume created(String id, String name, VolumeType type, long bytes, long order) {
        return new Volume(id, name, type, bytes, order, List.of(), List.of(), List.of());
    }

    /** ControllerPublishVolume was called for the node. */
    record Attachment(String node, Mode mode, boolean readOnly) {}

    /**
     * NodeStageVolume was called on the node.
     *
     * @param flags the mount flags, sorted
     */
    record Staging(String node, String path, List<String> flags) {
        Staging {
            flags = flags.stream().sorted().toList();
        }
    }

    /** NodePublishVolume was called on the node. */
    record Publication(String node, String path, Mode mode, boolean readOnly) {}

    Optional<Attachment> attachmentTo(String node) {
        return attachments.stream().filter(a -> a.node().equals(node)).findFirst();
    }

    Optional<Staging> stagingOn(String node) {
        return stagings.stream().filter(s -> s.node().equals(node)).findFirst();
    }

    Optional<Publication> publicationAt(String node, String path) {
        return publications.stream()
                .filter(p -> p.node().equals(node) && p.path().equals(path))
                .findFirst();
    }

    /** With {@code attachment} in the place of an older one to its node. */
    Volume attached(Attachment attachment) {
        return attachments(
                replace(attachments, a -> a.node().equals(attachment.node()), attachment));
    }

    Volume detached(String node) {
        return attachments(without(attachments, a -> a.node().equals(node)));
    }

    /** Without the stagings and publications of {@code node}. */
    Volume unusedBy(String node) {
        return unstaged(node).publications(without(publications, p -> p.node().equals(node)));
    }

    /** With {@code staging} in the place of an older one on its node. */
    Volume staged(Staging staging) {
        return stagings(replace(stagings, s -> s.node().equals(staging.node()), staging));
    }

    Volume unstaged(String node) {
        return stagings(without(stagings, s -> s.node().equals(node)));
    }

    /** With {@code publication} in the place of an older one at its path. */
    Volume published(Publication publication) {
        return publications(
                replace(publications, isAt(publication.node(), publication.path()), publication));
    }

    Volume unpublished(String node, String path) {
        return publications(without(publications, isAt(node, path)));
    }

    private static Predicate<Publication> isAt(String node, String path) {
        return p -> p.node().equals(node) && p.path().equals(path);
    }

    private static <T> List<T> without(List<T> all, Predicate<T> gone) {
        return all.stream().filter(gone.negate()).toList();
    }

    private static <T> List<T> replace(List<T> all, Predicate<T> old, T now) {
        List<T> changed = new ArrayList<>(without(all, old));
        changed.add(now);
        return changed;
    }

    private Volume attachments(List<Attachment> now) {
        return new Volume(id, name, type, bytes, order, now, stagings, publications);
    }

    private Volume stagings(List<Staging> now) {
        return new Volume(id, name, type, bytes, order, attachments, now, publications);
    }

    private Volume publications(List<Publication> now) {
        return new Volume(id, name, type, bytes, order, attachments, stagings, now);
    }
}
