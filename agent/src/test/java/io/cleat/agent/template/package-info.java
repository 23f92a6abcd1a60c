@NullMarked
package io.cleat.agent.template;

import org.jspecify.annotations.NullMarked;
