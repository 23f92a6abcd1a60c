package io.cleat.testkit;

import com.google.protobuf.Message;

/**
 * One call as the fake plugin got it.
 *
 * @param number from 1, in order of arrival over all calls
 * @param name the method's name, such as {@code NodeStageVolume}
 * @param volumeId the volume it is about, or empty
 * @param request the message as sent, secrets included
 * @param authority the value of the {@code :authority} header
 */
public record ReceivedCall(int number, String name, String volumeId, Message request, String authority) {
    /** Name and volume, as tests like to compare them. */
    @Override
    public String toString() {
        return volumeId.isEmpty() ? name : name + " " + volumeId;
    }
}
