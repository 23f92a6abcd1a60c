package io.cleat.csi;

/** The port for who counts and shows calls. Called once per try, on the caller's thread. */
@FunctionalInterface
public interface CallObserver {
    CallObserver NONE = made -> {};

    /** Must be quick and must not throw. */
    void tried(CallTry made);
}
