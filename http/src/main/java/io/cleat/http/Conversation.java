package io.cleat.http;

import io.cleat.base.Refused;
import io.cleat.base.Trouble;

/** What is said on a websocket, in messages of text (UTF-8). */
public interface Conversation {
    /**
     * Says all there is to say, on a thread of its own. Its return ends the websocket normally; a refusal or trouble
     * ends it with those words.
     */
    void speak(Speaker speaker) throws Refused, Trouble, InterruptedException;

    /** Takes what the client said, one message after the other, on another thread. */
    void hear(byte[] message) throws Refused, Trouble, InterruptedException;

    /** The client is gone, or never came: {@link #speak} is to end. May come more than once. */
    void gone();

    /** The way to the client. */
    @FunctionalInterface
    interface Speaker {
        /** Returns once the client's connection has taken the message. */
        void say(byte[] message) throws Trouble, InterruptedException;
    }
}
