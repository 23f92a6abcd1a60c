package io.cleat.agent.alloc;

/** A volume of an allocation surely cannot be had; the message is the plugin's words and the volume's name. */
final class VolumesRefused extends Exception {
    private static final long serialVersionUID = 1;

    VolumesRefused(String message) {
        super(message);
    }

    String reason() {
        return String.valueOf(getMessage());
    }
}
