package io.cleat.jobspec.hcl;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** {@code jsonencode jsondecode yamlencode base64encode}. */
final class CodecFunctions {
    private CodecFunctions() {}

    static void addTo(Functions all) {
        all.add("jsonencode", "value", 1, 1, in -> Value.of(JsonText.of(in.value(0))));
        all.add("jsondecode", "text", 1, 1, in -> JsonText.read(in.text(0)));
        all.add("yamlencode", "value", 1, 1, in -> Value.of(YamlText.of(in.value(0))));
        all.add("base64encode", "text", 1, 1, in -> Value.of(base64(in.text(0))));
    }

    private static String base64(String text) throws Misuse {
        try {
            ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(java.nio.CharBuffer.wrap(text));
            byte[] exact = new byte[bytes.remaining()];
            bytes.get(exact);
            return Base64.getEncoder().encodeToString(exact);
        } catch (CharacterCodingException e) {
            throw new Misuse("The text has half a character in it.");
        }
    }
}
