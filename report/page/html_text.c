#include "report/page/html_int.h"

#include "base/utf8.h"

void html_bytes(text_buffer *out, const char *text, size_t length) {
    for (size_t taken; length > 0; text += taken, length -= taken) {
        static const struct {
            char c;
            const char *as;
        } marks[] = {
            {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
        const char *as = NULL;
        for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
            if (*text == marks[i].c)
                as = marks[i].as;
        taken = *text == '\n' || *text == '\t' ? 1 : utf8_printable(text, length);
        // Control characters and what is no text are not allowed in a page.
        if (as || taken == 0)
            text_put(out, as ? as : "&#xfffd;");
        for (size_t i = 0; !as && i < taken; i++)
            array_push(out, text[i]);
        taken = taken ? taken : 1;
    }
}

void html_put(text_buffer *out, const char *text) {
    if (text)
        html_bytes(out, text, strlen(text));
}

void html_shell_word(html_page *p, const char *word) {
    text_buffer quoted = {0};
    shell_word(&quoted, word);
    html_bytes(p->out, quoted.items, quoted.count);
    array_finish(&quoted);
}

void html_term(html_page *p, const term *t) {
    html_put(p->out, term_text(p->arena, t));
}

void html_base64(text_buffer *out, const unsigned char *bytes, size_t length) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < length; i += 3) {
        size_t n = length - i < 3 ? length - i : 3;
        uint32_t three = (uint32_t)bytes[i] << 16;
        three |= n > 1 ? (uint32_t)bytes[i + 1] << 8 : 0;
        three |= n > 2 ? bytes[i + 2] : 0;
        for (size_t k = 0; k < 4; k++)
            array_push(out, k <= n ? digits[three >> (18 - 6 * k) & 63] : '=');
    }
}
