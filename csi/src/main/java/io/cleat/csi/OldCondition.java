package io.cleat.csi;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import java.util.List;
import java.util.Optional;

/**
 * A volume's condition where CSI 1.12 and older had it. Version 1.13 reserves the numbers, most plugins in use still
 * send it: it is read from the fields that the schema does not know.
 */
final class OldCondition {
    /** VOLUME_CONDITION among a controller's capabilities. */
    static final int CONTROLLER_CAPABILITY = 11;

    /** VOLUME_CONDITION among a node's capabilities. */
    static final int NODE_CAPABILITY = 4;

    private static final int CONDITION = 2;
    private static final int ABNORMAL = 1;
    private static final int MESSAGE = 2;

    private OldCondition() {}

    /** The field 2 of NodeGetVolumeStatsResponse or of a VolumeStatus. */
    static Optional<VolumeCondition> read(Message holder) throws BadReply {
        var sent = holder.getUnknownFields().getField(CONDITION).getLengthDelimitedList();
        if (sent.isEmpty()) {
            return Optional.empty();
        }
        try {
            UnknownFieldSet condition = UnknownFieldSet.parseFrom(sent.getLast());
            List<Long> abnormal = condition.getField(ABNORMAL).getVarintList();
            var words = condition.getField(MESSAGE).getLengthDelimitedList();
            return Optional.of(new VolumeCondition(
                    !abnormal.isEmpty() && abnormal.getLast() != 0,
                    words.isEmpty() ? "" : Words.cleaned(words.getLast().toStringUtf8(), List.of())));
        } catch (InvalidProtocolBufferException broken) {
            throw new BadReply("has a volume_condition that is none");
        }
    }
}
