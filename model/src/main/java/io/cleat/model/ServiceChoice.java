package io.cleat.model;

import io.cleat.base.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * Some of many, chosen by a key: each is hashed with the key, and those with the largest hashes are taken (rendezvous
 * hashing). When one of them goes another takes its place, and the rest stays.
 */
public final class ServiceChoice {
    private ServiceChoice() {}

    /**
     * At most {@code count} of them, in the order of their hashes.
     *
     * @param id what tells one from the other, the same for as long as it is there
     */
    public static <T> List<T> of(List<T> all, int count, String key, Function<T, String> id) {
        record Ranked<T>(byte[] hash, T each) {}
        return all.stream()
                .map(each -> new Ranked<>(hash(key, id.apply(each)), each))
                .sorted(Comparator.<Ranked<T>, byte[]>comparing(
                        Ranked::hash, (one, other) -> Arrays.compareUnsigned(other, one)))
                .limit(count)
                .map(Ranked::each)
                .toList();
    }

    private static byte[] hash(String key, String id) {
        MessageDigest digest = Sha256.begin();
        digest.update(key.getBytes(StandardCharsets.UTF_8));
        digest.update((byte) 0);
        return digest.digest(id.getBytes(StandardCharsets.UTF_8));
    }
}
