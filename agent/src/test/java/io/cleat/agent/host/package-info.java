@NullMarked
package io.cleat.agent.host;

import org.jspecify.annotations.NullMarked;
