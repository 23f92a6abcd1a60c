package io.cleat.agent.check;

import io.cleat.base.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;

/**
 * Which check it is, of one allocation.
 *
 * @param task whose service it is; empty for the group's
 * @param port of the service: two of its services may have one name
 */
public record CheckKey(String task, String service, String port, String check) {
    /** What people and tools call it. */
    public String id(String allocId) {
        MessageDigest digest = Sha256.begin();
        for (String part : new String[] {allocId, task, service, port, check}) {
            digest.update(part.getBytes(StandardCharsets.UTF_8));
            digest.update((byte) 0);
        }
        return HexFormat.of().formatHex(digest.digest(), 0, 16);
    }
}
