/** Tests of how artifacts come to tasks. */
@NullMarked
package io.cleat.agent.artifact;

import org.jspecify.annotations.NullMarked;
