//! The flag table: one row a flag, and everything that names a flag comes out of it.

/// Where in the pipeline a flag is raised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Splitting the bytes into request line, header lines and body.
    Frame,
    /// Unfolding continuation lines and collapsing white space.
    Unfold,
    /// Reading the target and the host.
    Target,
    /// Percent, Unicode and entity decoding, wherever it happens.
    Decode,
    /// Content of any kind: dangerous characters, scripts, controls.
    Content,
    /// The structure of the path.
    Path,
    /// The structure of the query, and of a form body; and what every value of a body shows.
    Query,
    /// Header names, duplicates and values.
    Headers,
    /// The body.
    Body,
    /// Shapes and placeholders for what must not be shown.
    Redact,
    /// The union of all flags.
    Rollup,
}

impl Stage {
    /// The name, as explanations and pages write it.
    ///
    /// ```
    /// assert_eq!(tamiz::Flag::DotDot.row().stage.name(), "path");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Stage::Frame => "frame",
            Stage::Unfold => "unfold",
            Stage::Target => "target",
            Stage::Decode => "decode",
            Stage::Content => "content",
            Stage::Path => "path",
            Stage::Query => "query",
            Stage::Headers => "headers",
            Stage::Body => "body",
            Stage::Redact => "redact",
            Stage::Rollup => "rollup",
        }
    }
}

/// What stands behind the colon of a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Param {
    /// Nothing: the flag is its name.
    None,
    /// A key of the query or of the body, as its line writes it.
    Key,
    /// A header name, as its line writes it.
    Header,
    /// A decimal number.
    Count,
    /// One of a fixed list of words.
    Word,
}

impl Param {
    /// What pages and help write in the place of a parameter.
    ///
    /// ```
    /// assert_eq!(tamiz::Flag::QRepeat.row().param.placeholder(), ":<key>");
    /// ```
    #[must_use]
    pub const fn placeholder(self) -> &'static str {
        match self {
            Param::None => "",
            Param::Key => ":<key>",
            Param::Header => ":<name>",
            Param::Count => ":<n>",
            Param::Word => ":<found>",
        }
    }
}

/// Which text a flag comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// One of the original specifications, by file name.
    Original(&'static str),
    /// Added by tamiz.
    Extension,
}

/// What a flag says about the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Ordinary traffic has it.
    Context,
    /// Unusual, not hostile by itself.
    Odd,
    /// A benign client has no reason to send it.
    Attack,
}

impl Class {
    /// The name, as pages and help write it.
    ///
    /// ```
    /// assert_eq!(tamiz::Flag::DotDot.row().class.name(), "attack");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Class::Context => "context",
            Class::Odd => "odd",
            Class::Attack => "attack",
        }
    }
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct FlagRow {
    /// The flag this row describes.
    pub flag: Flag,
    /// Its name, as written in documents.
    pub name: &'static str,
    /// What follows the name, if anything.
    pub param: Param,
    /// The stage that raises it.
    pub stage: Stage,
    /// Where the flag comes from.
    pub origin: Origin,
    /// Raised without being enabled.
    pub default: bool,
    /// Needs `flags.enable` to be raised or left out, as opposed to `flags.disable` only.
    pub switch: bool,
    /// What it says about the client.
    pub class: Class,
    /// The meaning in English.
    pub en: &'static str,
    /// The meaning in Spanish.
    pub es: &'static str,
    /// A raw request that raises it.
    pub example: &'static str,
}

macro_rules! flag_table {
    ($($variant:ident { name: $name:literal, param: $param:ident, stage: $stage:ident, origin: $origin:expr,
        $(switch: $switch:literal,)? class: $class:ident, en: $en:literal, es: $es:literal,
        example: $example:expr $(,)? })*) => {
        /// Every flag a document can carry, in the byte order of their names.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Flag {
            $(#[doc = $en] $variant,)*
        }

        /// The rows, in the order of [`Flag`].
        pub const FLAGS: &[FlagRow] = &[
            $(FlagRow {
                flag: Flag::$variant,
                name: $name,
                param: Param::$param,
                stage: Stage::$stage,
                origin: $origin,
                default: true $(&& $switch)?,
                switch: false $(|| { let _: bool = $switch; true })?,
                class: Class::$class,
                en: $en,
                es: $es,
                example: $example,
            },)*
        ];
    };
}

// The originals that a flag can come from, each named once.
const CHARACTERS: Origin = Origin::Original("caracteres-peligrosos-script-mixing");
const SLASH_DOT: Origin = Origin::Original("colapsar-slash-dot-no-resolver-dotdot");
const ENCODINGS: Origin = Origin::Original("encodings-y-decodificaciones-raras");
const ODDITIES: Origin = Origin::Original("flags-por-rarezas");
const HEADER_NAMES: Origin = Origin::Original("headers-nombres-orden-duplicados");
const HEADER_VALUES: Origin = Origin::Original("headers-valores-shape-aware");
const FOLDED_LINES: Origin = Origin::Original("lineas-plegadas-obs-fold");
const PLUS: Origin = Origin::Original("no-traducir-plus-espacio");
const CORE: Origin = Origin::Original("normalizar-flags");
const PERCENT: Origin = Origin::Original("percent-decode-una-vez");
const QUERY: Origin = Origin::Original("query-decodificar-una-vez");
const WHITE_SPACE: Origin = Origin::Original("separadores-espacios");
const SEPARATORS: Origin = Origin::Original("separadores-parseo-robusto");
const SHAPES: Origin = Origin::Original("shape-longitud-redaccion");
const ABSOLUTE_URL: Origin = Origin::Original("url-absoluta-desde-relativa");
const EXTENSION: Origin = Origin::Extension;

/// A literal, 32 times over: the examples of QLONG, HLONG and some flags of bodies have to be long.
macro_rules! x32 {
    ($text:expr) => {
        concat!(x8!($text), x8!($text), x8!($text), x8!($text))
    };
}
macro_rules! x8 {
    ($text:expr) => {
        concat!($text, $text, $text, $text, $text, $text, $text, $text)
    };
}

/// Ten different array keys for each prefix: the example of FLAGOVERFLOW needs more than 64 of them.
macro_rules! array_keys {
    ($($prefix:literal)*) => {
        concat!($(array_keys!(@ten $prefix 0 1 2 3 4 5 6 7 8 9)),*)
    };
    (@ten $prefix:literal $($digit:literal)*) => { concat!($($prefix, $digit, "[]=1&"),*) };
}

/// A request with a body: its media type, its length and the body itself.
macro_rules! post {
    ($media_type:expr, $length:literal, $body:expr $(,)?) => {
        concat!(
            "POST /a HTTP/1.1\r\nHost: ex.com\r\nContent-Type: ",
            $media_type,
            "\r\nContent-Length: ",
            $length,
            "\r\n\r\n",
            $body
        )
    };
}

// `switch: true` and `switch: false` mark the flags of `flags.enable`, with their default; all others are always on.
flag_table! {
    Angle {
        name: "ANGLE", param: None, stage: Content, origin: CHARACTERS, class: Attack,
        en: "`<` or `>` in decoded content, looked for before redaction: markup, the raw material of script injection.",
        es: "`<` o `>` en el contenido ya decodificado, buscado antes de ocultar valores: marcado, la materia prima de \
             la inyección de scripts.",
        example: "GET /a/<script>/b HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    }
    AuthBasic {
        name: "AUTHBASIC", param: None, stage: Headers, origin: HEADER_VALUES, class: Odd,
        en: "An authorization header carries Basic credentials, that is, a user and a password in reversible base64.",
        es: "Una cabecera de autorización lleva credenciales Basic, es decir, usuario y contraseña en base64 \
             reversible.",
        example: "GET /a HTTP/1.1\r\nHost: ex.com\r\nAuthorization: Basic dTpw\r\n\r\n",
    }
    AuthBearer {
        name: "AUTHBEARER", param: None, stage: Headers, origin: HEADER_VALUES, class: Odd,
        en: "An authorization header carries a Bearer token, which serves whoever holds it.",
        es: "Una cabecera de autorización lleva un token Bearer, que le sirve a cualquiera que lo tenga.",
        example: "GET /a HTTP/1.1\r\nHost: ex.com\r\nAuthorization: Bearer abc123\r\n\r\n",
    }
    Backslash {
        name: "BACKSLASH", param: None, stage: Content, origin: CHARACTERS, class: Odd,
        en: "`\\` in decoded content: a Windows path or an escape in honest text, a second path separator in an \
             evasion.",
        es: "`\\` en el contenido ya decodificado: una ruta de Windows o un escape en un texto honesto, un segundo \
             separador de rutas en una evasión.",
        example: "GET /a\\b/c HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    }
    Backtick {
        name: "BACKTICK", param: None, stage: Content, origin: EXTENSION, class: Odd,
        en: "A backtick in decoded content: shells run what it encloses, and without this flag a shape would hide it.",
        es: "Una comilla invertida en el contenido ya decodificado: una shell ejecuta lo que encierra y, sin esta \
             marca, la forma del valor lo taparía.",
        example: "GET /a?q=`id` HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    }
    BadCrlf {
        name: "BADCRLF", param: None, stage: Frame, origin: FOLDED_LINES, class: Attack,
        en: "A lone CR or LF inside the head, where it ends no line: the mark of header injection and request \
             smuggling.",
        es: "Un CR o LF suelto dentro de la cabecera de la petición, donde no termina ninguna línea: señal de \
             inyección de cabeceras y de contrabando de peticiones.",
        example: "GET /a HTTP/1.1\r\nHost: ex.com\r\nX-Evil: a\r\n\nInjected: b\r\n\r\n",
    }
    BadHdrCont {
        name: "BADHDRCONT", param: None, stage: Unfold, origin: FOLDED_LINES, class: Attack,
        en: "The first header line begins with white space, so it continues nothing and is ignored; servers disagree \
             on it, which smuggling exploits.",
        es: "La primera línea de cabecera empieza con espacio en blanco, así que no continúa nada y se ignora; los \
             servidores no coinciden al leerla, y el contrabando de peticiones lo aprovecha.",
        example: "GET /a HTTP/1.1\r\n\tloose\r\nHost: ex.com\r\n\r\n",
    }
    BadHdrName {
        name: "BADHDRNAME", param: Header, stage: Headers, origin: HEADER_NAMES, class: Odd,
        en: "A header name that is empty, is no RFC 9110 token, has an underscore, or had white space before the \
             colon; for `host`, a forbidden character in its value.",
        es: "Un nombre de cabecera vacío, que no es un token de RFC 9110, que lleva guion bajo o que tenía espacio \
             antes de los dos puntos; en `host`, un carácter prohibido en su valor.",
        example: "GET /a HTTP/1.1\r\nHost: ex.com\r\nX_Custom: v\r\n\r\n",
    }
    BadHost {
        name: "BADHOST", param: None, stage: Target, origin: ABSOLUTE_URL, class: Odd,
        en: "The host is missing, empty, refused by IDNA or has an impossible port, so no server can be named with \
             certainty.",
        es: "El host falta, está vacío, IDNA lo rechaza o su puerto es imposible, de modo que no se puede nombrar un \
             servidor con certeza.",
        example: "GET /a HTTP/1.1\r\nHost: ex.com:99999\r\n\r\n",
    }
    BadJson {
        name: "BADJSON", param: None, stage: Body, origin: EXTENSION, class: Odd,
        en: "The body was read as JSON but is not valid JSON; lenient and strict parsers read it differently, so a \
             filter and the application may see different values.",
        es: "El cuerpo se leyó como JSON pero no es JSON válido; los analizadores laxos y los estrictos lo leen \
             distinto, así que un filtro y la aplicación pueden ver valores diferentes.",
        example: post!("application/json", 8, "{\"a\":1,}"),
    }
    BadPct {
        name: "BADPCT", param: None, stage: Decode, origin: EXTENSION, class: Odd,
        en: "A `%` without two hexadecimal digits behind it: lenient decoders drop or guess it, and a value's shape \
             would hide that it was there.",
        es: "Un `%` sin dos dígitos hexadecimales detrás: los decodificadores laxos lo descartan o lo adivinan, y la \
             forma del valor ocultaría que estaba.",
        example: "GET /a?off=100% HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    }
    BadReqLine {
        name: "BADREQLINE", param: None, stage: Frame, origin: EXTENSION, class: Odd,
        en: "The request line is not method, target and version with single spaces; the document shows the repaired \
             reading, so without this flag the defect would be lost.",
        es: "La línea de petición no es método, destino y versión separados por un solo espacio; el documento muestra \
             la lectura reparada y, sin esta marca, el defecto se perdería.",
        example: "GET index.html HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    }
    BadUtf8 {
        name: "BADUTF8", param: None, stage: Decode, origin: ENCODINGS, class: Odd,
        en: "Bytes that are not valid UTF-8, raw or percent-encoded, or half a surrogate pair in JSON: a legacy \
             encoding such as Latin-1, or an overlong form that slips past filters.",
        es: "Bytes que no son UTF-8 válido, crudos o codificados con `%`, o medio par sustituto en JSON: una \
             codificación antigua como Latin-1 o una forma sobrelarga que elude filtros.",
        example: "GET /Espa%F1a HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    }
    BadVersion {
        name: "BADVERSION", param: None, stage: Frame, origin: EXTENSION, class: Attack,
        en: "A protocol version that does not exist: fingerprinting tools send it to see how a server reacts, and the \
             version itself is written nowhere in the document.",
        es: "Una versión de protocolo que no existe: las herramientas de reconocimiento la envían para ver cómo \
             reacciona el servidor, y la versión no figura en ninguna otra parte del documento.",
        example: "GET /a HTTP/1.9\r\nHost: ex.com\r\n\r\n",
    }
    BadXml {
        name: "BADXML", param: None, stage: Body, origin: EXTENSION, class: Odd,
        en: "The body was read as XML but is not well-formed: a strict parser refuses it, and a lenient one repairs it \
             in its own way, out of sight of a filter.",
        es: "El cuerpo se leyó como XML pero no está bien formado: un analizador estricto lo rechaza y uno laxo lo \
             repara a su manera, sin que un filtro lo vea.",
        example: post!("application/xml", 10, "<a><b></a>"),
    }
    BodyCharset {
        name: "BODYCHARSET", param: None, stage: Body, origin: EXTENSION, class: Odd,
        en: "The body declares a character set in which ASCII may be other bytes, such as UTF-7, UTF-16 or EBCDIC: \
             what it says was looked for in UTF-8 alone, and a server that believes the declaration reads another text.",
        es: "El cuerpo declara un juego de caracteres en el que ASCII puede ser otros bytes, como UTF-7, UTF-16 o \
             EBCDIC: solo se lo inspeccionó como UTF-8, y un servidor que crea la declaración lee otro texto.",
        example: post!("application/json; charset=utf-7", 13, "{\"a\":\"+ADw-\"}"),
    }
    BodyCut {
        name: "BODYCUT", param: Count, stage: Body, origin: EXTENSION, class: Odd,
        en: "How many fields of the body were inspected but not listed because it had more than `limits.body_fields`: \
             without the count, a flood of fields would hide the rest in silence.",
        es: "Cuántos campos del cuerpo se inspeccionaron pero no se listan porque eran más que `limits.body_fields`: \
             sin la cuenta, una avalancha de campos escondería en silencio el resto.",
        example: post!("application/json", 8195, concat!("[", x32!(x32!("1,1,1,1,")), "1]")),
    }
    BodyForm {
        name: "BODYFORM", param: None, stage: Body, origin: PLUS, class: Odd,
        en: "The body was read as an HTML form, so in it `+` is a space and its keys and values raise the flags of a \
             query.",
        es: "El cuerpo se leyó como un formulario HTML: en él `+` es un espacio, y sus claves y valores levantan las \
             marcas de una query.",
        example: "POST /a HTTP/1.1\r\nHost: ex.com\r\nContent-Type: application/x-www-form-urlencoded\r\n\
                  Content-Length: 3\r\n\r\na=1",
    }
    BodyJson {
        name: "BODYJSON", param: None, stage: Body, origin: EXTENSION, class: Odd,
        en: "The body was read as JSON: the document lists the path and the shape of its values, and its names and \
             strings raise the flags of a query.",
        es: "El cuerpo se leyó como JSON: el documento lista la ruta y la forma de sus valores, y sus nombres y \
             cadenas levantan las marcas de una query.",
        example: post!("application/json", 7, "{\"a\":1}"),
    }
    BodyMismatch {
        name: "BODYMISMATCH", param: Word, stage: Body, origin: EXTENSION, class: Odd,
        en: "The body or an uploaded file looks like what the parameter names, while its declared type or file name \
             says something else or nothing: a careless client, or content meant to get past a check.",
        es: "El cuerpo o un archivo subido parece lo que nombra el parámetro, mientras que su tipo declarado o su \
             nombre de archivo dice otra cosa o nada: un cliente descuidado, o un contenido pensado para pasar un \
             control.",
        example: post!("application/x-www-form-urlencoded", 7, "{\"a\":1}"),
    }
    BodyMultipart {
        name: "BODYMULTIPART", param: None, stage: Body, origin: EXTENSION, class: Odd,
        en: "The body was read as a multipart form, the format of file uploads: its names and values raise the flags \
             of a query, and of a file the document shows only extension, size and declared type.",
        es: "El cuerpo se leyó como un formulario multipart, el formato con que se suben archivos: sus nombres y \
             valores levantan las marcas de una query, y de un archivo el documento muestra solo extensión, tamaño y \
             tipo declarado.",
        example: post!(
            "multipart/form-data; boundary=b",
            59,
            "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--b--\r\n"
        ),
    }
    BodyUnexpected {
        name: "BODYUNEXPECTED", param: None, stage: Frame, origin: EXTENSION, class: Odd,
        en: "A GET, HEAD, TRACE or CONNECT request carries a body: some search interfaces want one, but a server that \
             does not read it takes it for the next request, which smuggling exploits.",
        es: "Una petición GET, HEAD, TRACE o CONNECT lleva cuerpo: algunas interfaces de búsqueda lo piden, pero un \
             servidor que no lo lea lo tomará por la petición siguiente, y el contrabando de peticiones lo aprovecha.",
        example: "GET /a HTTP/1.1\r\nHost: ex.com\r\nContent-Length: 3\r\n\r\nabc",
    }
    BodyXml {
        name: "BODYXML", param: None, stage: Body, origin: EXTENSION, class: Odd,
        en: "The body was read as XML: the document lists the path and the shape of its texts and attributes, whose \
             content raises the flags of a query.",
        es: "El cuerpo se leyó como XML: el documento lista la ruta y la forma de sus textos y atributos, cuyo \
             contenido levanta las marcas de una query.",
        example: post!("application/xml", 8, "<a>1</a>"),
    }
    Bom {
        name: "BOM", param: None, stage: Body, origin: EXTENSION, class: Odd,
        en: "A JSON or XML body begins with a byte order mark: some editors leave one behind, parsers skip it or \
             refuse it, and text in UTF-16 escapes a filter that expects UTF-8.",
        es: "Un cuerpo JSON o XML empieza con una marca de orden de bytes: algunos editores la dejan, los analizadores \
             la saltan o la rechazan, y un texto en UTF-16 se le escapa a un filtro que espera UTF-8.",
        example: post!("application/json", 10, "\u{FEFF}{\"a\":1}"),
    }
    Bomb {
        name: "BOMB", param: None, stage: Body, origin: EXTENSION, class: Attack,
        en: "A compressed body grew past `limits.inflated_bytes` or `limits.inflation_ratio` and was not read: a \
             decompression bomb, made to exhaust the memory of whoever unpacks it.",
        es: "Un cuerpo comprimido creció más allá de `limits.inflated_bytes` o de `limits.inflation_ratio` y no se \
             leyó: una bomba de descompresión, hecha para agotar la memoria de quien la descomprima.",
        example: concat!(
            "POST /a HTTP/1.1\r\nHost: ex.com\r\nContent-Encoding: deflate\r\nContent-Length: 81\r\n\r\n",
            "Z\x03h\x07\x0f\x05\0\0\0\0\0\x01~x'R",
            x32!("UU"),
            "T",
        ),
    }
    Brace {
        name: "BRACE", param: None, stage: Content, origin: CHARACTERS, class: Odd,
        en: "`{` or `}` in decoded content: JSON in honest traffic, template or expression injection otherwise.",
        es: "`{` o `}` en el contenido ya decodificado: JSON en el tráfico honesto; si no, inyección de plantillas o \
             de expresiones.",
        example: "GET /a?q={x} HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    }
    CeBad {
        name: "CEBAD", param: None, stage: Body, origin: EXTENSION, class: Odd,
        en: "The content coding is unknown, has too many layers or does not fit the bytes, so it was not undone, and \
             the body was read only if it looks like plain text of a known structure: what a server that can decode \
             it finds inside was not inspected.",
        es: "La codificación de contenido es desconocida, tiene demasiadas capas o no corresponde a los bytes, así \
             que no se deshizo, y el cuerpo solo se leyó si parece texto llano de una estructura conocida: lo que \
             encuentre dentro un servidor que sí lo decodifique no se inspeccionó.",
        example: "POST /a HTTP/1.1\r\nHost: ex.com\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc",
    }
    ChunkBad {
        name: "CHUNKBAD", param: None, stage: Frame, origin: EXTENSION, class: Attack,
        en: "The chunks of the body are malformed or incomplete, or a size line has something besides the size and \
             well-formed extensions: servers repair that differently and then disagree on where the request ends.",
        es: "Los fragmentos (chunks) del cuerpo están mal formados o incompletos, o una línea de tamaño trae algo \
             más que el tamaño y extensiones bien formadas: cada servidor lo repara a su modo y luego no coinciden \
             en dónde termina la petición.",
        example: "POST /a HTTP/1.1\r\nHost: ex.com\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n",
    }
    ClBad {
        name: "CLBAD", param: None, stage: Frame, origin: EXTENSION, class: Attack,
        en: "A Content-Length that is not plain digits, such as `+3`, `0x3`, a list or nothing, or that has too many \
             of them: servers disagree on its value, and so on where the request ends.",
        es: "Un Content-Length que no son solo dígitos, como `+3`, `0x3`, una lista o nada, o que tiene demasiados: \
             los servidores no coinciden en su valor ni, por lo tanto, en dónde termina la petición.",
        example: "POST /a HTTP/1.1\r\nHost: ex.com\r\nContent-Length: +3\r\n\r\nabc",
    }
    ClConflict {
        name: "CLCONFLICT", param: None, stage: Frame, origin: EXTENSION, class: Attack,
        en: "Two Content-Length values differ: each server in a row may obey another one, and what is body to one is \
             the next request to the other.",
        es: "Dos valores de Content-Length difieren: cada servidor de la cadena puede obedecer a uno distinto, y lo \
             que para uno es cuerpo, para otro es la petición siguiente.",
        example: "POST /a HTTP/1.1\r\nHost: ex.com\r\nContent-Length: 3\r\nContent-Length: 2\r\n\r\nabc",
    }
    ClTe {
        name: "CLTE", param: None, stage: Frame, origin: EXTENSION, class: Attack,
        en: "Content-Length and Transfer-Encoding come together, which HTTP forbids: it is the classic way of \
             smuggling a request past a proxy that obeys one to a server that obeys the other.",
        es: "Content-Length y Transfer-Encoding vienen juntos, algo que HTTP prohíbe: es la manera clásica de pasar \
             una petición de contrabando por un proxy que obedece a uno hasta un servidor que obedece al otro.",
        example: "POST /a HTTP/1.1\r\nHost: ex.com\r\nContent-Length: 13\r\nTransfer-Encoding: chunked\r\n\r\n\
                  3\r\nabc\r\n0\r\n\r\n",
    }
    ColonSpace {
        name: "COLONSPACE", param: None, stage: Headers, origin: EXTENSION, class: Attack,
        en: "White space between a header name and its colon, which servers have to refuse: one that accepts it obeys \
             a header that the proxy in front of it may have overlooked.",
        es: "Espacio en blanco entre el nombre de una cabecera y los dos puntos, que los servidores deben rechazar: \
             uno que lo acepte obedece a una cabecera que el proxy que tiene delante quizá pasó por alto.",
        example: "GET /a HTTP/1.1\r\nHost: ex.com\r\nX-Test : a\r\n\r\n",
    }
    Compat {
        name: "COMPAT", param: None, stage: Decode, origin: EXTENSION, class: Odd,
        en: "NFKC replaced a compatibility character that is no width form, such as a ligature or `‥`; only the plain \
             result is written, so the disguise would be lost.",
        es: "NFKC sustituyó un carácter de compatibilidad que no es una forma de ancho, como una ligadura o `‥`; solo \
             se escribe el resultado llano, así que el disfraz se perdería.",
        example: "GET /\u{FB01}le HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    }
    Control {
        name: "CONTROL", param: None, stage: Content, origin: CORE, class: Odd,
        en: "A control character (Cc) or a Unicode line separator anywhere: a line break typed into a form, or bytes \
             meant to split lines and logs.",
        es: "Un carácter de control (Cc) o un separador de línea Unicode en cualquier parte: un salto de línea escrito \
             en un formulario, o bytes pensados para partir líneas y registros.",
        example: "GET /a%01b HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    }
    Cookie {
        name: "COOKIE", param: Count, stage: Headers, origin: HEADER_VALUES, switch: true, class: Context,
        en: "The number of cookies that the request carries.",
        es: "La cantidad de cookies que lleva la petición.",
        example: "GET /a HTTP/1.1\r\nHost: ex.com\r\nCookie: a=1; b=2\r\n\r\n",
    }
    Dollar {
        name: "DOLLAR", param: None, stage: Content, origin: EXTENSION, class: Odd,
        en: "`$` in decoded content: a price or an OData option, or a shell, template or JNDI expression that a shape \
             would hide.",
        es: "`$` en el contenido ya decodificado: un precio o una opción de OData, o bien una expresión de shell, de \
             plantilla o de JNDI que la forma del valor taparía.",
        example: "GET /a?q=$5 HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    }
    DotCur {
        name: "DOTCUR", param: None, stage: Path, origin: SLASH_DOT, switch: true, class: Odd,
        en: "A `.` segment was removed from the path; clients resolve those before sending, so somebody wrote it by \
             hand or joined URLs carelessly.",
        es: "Se quitó un segmento `.` del path; los clientes los resuelven antes de enviar, así que alguien lo \
             escribió a mano o unió URL sin cuidado.",
        example: "GET /a/./b HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    }
    DotDot {
        name: "DOTDOT", param: None, stage: Path, origin: SLASH_DOT, class: Attack,
        en: "A `..` segment in the path, also when a backslash, `%2F`, `%5C` or `;` delimits it; clients resolve those \
             before sending, so it asks the server to climb.",
        es: "Un segmento `..` en el path, también si lo delimitan una barra invertida, `%2F`, `%5C` o `;`; los \
             clientes los resuelven antes de enviar, así que le pide al servidor que suba de directorio.",
        example: "GET /a/../b HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    }
    DotDotN {
        name: "DOTDOTN", param: Count, stage: Path, origin: SLASH_DOT, switch: false, class: Attack,
        en: "The longest run of consecutive `..` segments in the path: how far up the traversal tries to climb.",
        es: "La serie más larga de segmentos `..` consecutivos del path: cuántos niveles intenta subir el recorrido de \
             directorios.",
        example: "GET /a/../../b HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    }
    DoublePct {
        name: "DOUBLEPCT", param: None, stage: Decode, origin: CORE, class: Odd,
        en: "A valid `%hh` is left after one decoding pass: a URL nested in a URL, or double encoding meant for a back \
             end that decodes again.",
        es: "Queda un `%hh` válido tras una pasada de decodificación: una URL dentro de otra, o una doble codificación \
             destinada a un servidor que decodifica otra vez.",
        example: "GET /foo%252Ejsp HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    }
    DupHdr {
        name: "DUPHDR", param: Header, stage: Headers, origin: HEADER_NAMES, class: Odd,
        en: "A header occurs more than once, so that two servers in a row may each obey a different one.",
        es: "Una cabecera aparece más de una vez, de modo que dos servidores en cadena pueden obedecer cada uno a una \
             distinta.",
        example: "GET /a HTTP/1.1\r\nHost: ex.com\r\nAccept: text/html\r\nAccept: */*\r\n\r\n",
    }
    ExtraData {
        name: "EXTRADATA", param: None, stage: Frame, origin: EXTENSION, class: Attack,
        en: "Bytes behind the end that the request gives itself, or behind the last boundary of a multipart body: a \
             second request smuggled along, or data that a filter does not read.",
        es: "Bytes después del final que la propia petición se fija, o después del último delimitador de un cuerpo \
             multipart: una segunda petición de contrabando, o datos que un filtro no lee.",
        example: "POST /a HTTP/1.1\r\nHost: ex.com\r\nContent-Length: 3\r\n\r\nabcGET /b HTTP/1.1\r\n\r\n",
    }
    FileDblExt {
        name: "FILEDBLEXT", param: None, stage: Body, origin: EXTENSION, class: Attack,
        en: "The name of an uploaded file has an executable extension in front of another one or behind a known one, \
             such as `a.php.jpg`: the check looks at one and the server runs the other.",
        es: "El nombre de un archivo subido tiene una extensión ejecutable delante de otra o detrás de una conocida, \
             como `a.php.jpg`: el control mira una y el servidor ejecuta la otra.",
        example: post!(
            "multipart/form-data; boundary=b",
            81,
            "--b\r\nContent-Disposition: form-data; name=\"a\"; filename=\"a.php.jpg\"\r\n\r\n1\r\n--b--\r\n"
        ),
    }
    FilePath {
        name: "FILEPATH", param: None, stage: Body, origin: EXTENSION, class: Attack,
        en: "The name of an uploaded file has a slash, a backslash or NUL in it, plain or percent-encoded, is `.` or \
             `..`, or is empty though there is content: a server that trusts it writes the file where it does not \
             belong.",
        es: "El nombre de un archivo subido contiene una barra, una barra invertida o NUL, tal cual o codificados \
             con `%`, es `.` o `..`, o está vacío aunque hay contenido: un servidor que confíe en él escribe el \
             archivo donde no corresponde.",
        example: post!(
            "multipart/form-data; boundary=b",
            80,
            "--b\r\nContent-Disposition: form-data; name=\"a\"; filename=\"../b.txt\"\r\n\r\n1\r\n--b--\r\n"
        ),
    }
    FlagOverflow {
        name: "FLAGOVERFLOW", param: Count, stage: Rollup, origin: EXTENSION, class: Odd,
        en: "How many flags of a parameterised name were left out because it had reached its limit: without the count, \
             a flood would push real findings out in silence.",
        es: "Cuántas marcas de un nombre con parámetro se omitieron por haber llegado a su límite: sin la cuenta, una \
             avalancha desplazaría en silencio los hallazgos de verdad.",
        example: concat!("GET /a?", array_keys!("a" "b" "c" "d" "e" "f" "g"), " HTTP/1.1\r\nHost: ex.com\r\n\r\n"),
    }
    FullWidth {
        name: "FULLWIDTH", param: None, stage: Decode, origin: CORE, class: Odd,
        en: "Fullwidth or halfwidth forms in the method, the path, a key, a header name or a name in the body became \
             ordinary letters: East Asian input, or a keyword dressed up to pass a filter.",
        es: "Formas de ancho completo o medio en el método, el path, una clave, un nombre de cabecera o un nombre \
             del cuerpo pasaron a letras corrientes: escritura de Asia oriental, o una palabra disfrazada para pasar \
             un filtro.",
        example: "GET /\u{FF41}dmin HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    }
    HdrNul {
        name: "HDRNUL", param: None, stage: Headers, origin: EXTENSION, class: Attack,
        en: "A NUL byte in a header name or value, which HTTP forbids: some servers cut the text there and others do \
             not, so that two in a row read different headers.",
        es: "Un byte NUL en el nombre o el valor de una cabecera, algo que HTTP prohíbe: unos servidores cortan ahí el \
             texto y otros no, de modo que dos en cadena leen cabeceras distintas.",
        example: "GET /a HTTP/1.1\r\nHost: ex.com\r\nX-Test: a\0b\r\n\r\n",
    }
    HLong {
        name: "HLONG", param: Header, stage: Headers, origin: EXTENSION, class: Odd,
        en: "A header field of more than 16 KiB: most servers refuse it, some overflow or drop it, and a redacted or \
             normalised value would not show its size.",
        es: "Un campo de cabecera de más de 16 KiB: casi todos los servidores lo rechazan, algunos se desbordan o lo \
             descartan, y el valor oculto o normalizado no mostraría su tamaño.",
        example: concat!("GET /a HTTP/1.1\r\nHost: ex.com\r\nX-Big: a1", x32!(x32!(x8!("a1"))), "\r\n\r\n"),
    }
    Home {
        name: "HOME", param: None, stage: Path, origin: SLASH_DOT, class: Context,
        en: "The canonical path is `/`, the start page.",
        es: "El path canónico es `/`, la página de inicio.",
        example: "GET / HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    }
    HopByHop {
        name: "HOPBYHOP", param: Header, stage: Headers, origin: HEADER_NAMES, class: Context,
        en: "A hop-by-hop header (connection, te, upgrade, trailer), which speaks to the next server in the chain and \
             not to the application.",
        es: "Una cabecera salto a salto (connection, te, upgrade, trailer), dirigida al siguiente servidor de la \
             cadena y no a la aplicación.",
        example: "GET /a HTTP/1.1\r\nHost: ex.com\r\nConnection: keep-alive\r\n\r\n",
    }
    HostMismatch {
        name: "HOSTMISMATCH", param: None, stage: Target, origin: ABSOLUTE_URL, class: Attack,
        en: "The target and the Host header, or two Host headers, name different servers: this is how \
             routing attacks and cache poisoning begin.",
        es: "El destino y la cabecera Host, o dos cabeceras Host, nombran servidores distintos: así empiezan los \
             desvíos de enrutamiento y el envenenamiento de cachés.",
        example: "GET http://ex.com/a HTTP/1.1\r\nHost: other.com\r\n\r\n",
    }
    HtmlEnt {
        name: "HTMLENT", param: None, stage: Decode, origin: CORE, class: Odd,
        en: "An HTML entity was decoded in the path, the query or a form: a link copied from page source, or a payload \
             encoded for a browser.",
        es: "Se decodificó una entidad HTML en el path, la query o un formulario: un enlace copiado del código de una \
             página, o una carga codificada para un navegador.",
        example: "GET /a&#x2f;b HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    }
    Http10 {
        name: "HTTP10", param: None, stage: Frame, origin: EXTENSION, class: Context,
        en: "The request speaks HTTP/1.0, as simple scripts, probes and old proxies do; the version is written nowhere \
             else in the document.",
        es: "La petición usa HTTP/1.0, como hacen los scripts sencillos, las sondas y los proxies antiguos; la \
             versión no figura en ninguna otra parte del documento.",
        example: "GET /a HTTP/1.0\r\nHost: ex.com\r\n\r\n",
    }
    Idna {
        name: "IDNA", param: None, stage: Target, origin: ABSOLUTE_URL, class: Odd,
        en: "A label of the host was not ASCII and was converted to punycode, which clients normally do themselves.",
        es: "Una etiqueta del host no era ASCII y se convirtió a punycode, algo que los clientes suelen hacer por su \
             cuenta.",
        example: "GET /a HTTP/1.1\r\nHost: espa\u{F1}a.com\r\n\r\n",
    }
    Invisible {
        name: "INVISIBLE", param: None, stage: Content, origin: EXTENSION, class: Odd,
        en: "Invisible or bidirectional format characters: part of an emoji or of Arabic text, or a way to break up a \
             keyword that neither a reader nor a shape would notice.",
        es: "Caracteres de formato invisibles o bidireccionales: parte de un emoji o de un texto árabe, o una manera \
             de partir una palabra clave que ni el ojo ni la forma del valor mostrarían.",
        example: "GET /ad%E2%80%8Bmin HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    }
    JsonDepth {
        name: "JSONDEPTH", param: None, stage: Body, origin: EXTENSION, class: Odd,
        en: "JSON nested deeper than `limits.body_depth`, or under too long a path, is written as one value: hardly \
             any data needs that, and a parser that recurses may run out of stack.",
        es: "Un JSON anidado más allá de `limits.body_depth`, o bajo una ruta demasiado larga, se escribe como un solo \
             valor: casi ningún dato lo necesita, y un analizador recursivo puede agotar la pila.",
        example: post!("application/json", 131, concat!(x32!("[["), "[1]", x32!("]]"))),
    }
    JsonDupKey {
        name: "JSONDUPKEY", param: Key, stage: Body, origin: EXTENSION, class: Odd,
        en: "A name comes twice in one JSON object: parsers take the first, the last or both, so that a filter may \
             check one value while the application uses the other.",
        es: "Un nombre aparece dos veces en un mismo objeto JSON: los analizadores toman el primero, el último o \
             ambos, de modo que un filtro puede revisar un valor mientras la aplicación usa el otro.",
        example: post!("application/json", 13, "{\"a\":1,\"a\":2}"),
    }
    JsonEsc {
        name: "JSONESC", param: None, stage: Body, origin: EXTENSION, class: Odd,
        en: "A printable ASCII character is written as a `\\u` escape in JSON: some encoders do so with `<` and `&`, \
             and an evasion does it to keep a keyword from a filter.",
        es: "Un carácter ASCII imprimible viene escrito como escape `\\u` en JSON: algunos codificadores lo hacen con \
             `<` y `&`, y una evasión, para que un filtro no vea una palabra clave.",
        example: post!("application/json", 14, "{\"a\":\"\\u003c\"}"),
    }
    Jwt {
        name: "JWT", param: None, stage: Content, origin: SHAPES, switch: false, class: Odd,
        en: "A JSON Web Token stands somewhere in the request; it is always redacted, and this flag records that it was there.",
        es: "En algún lugar de la petición hay un JSON Web Token; siempre se oculta, y aquí se deja constancia de su \
             presencia.",
        example: "GET /a?q=eyJhbGciOiJIUzI1NiJ9.e30.c2ln HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    }
    MixedEol {
        name: "MIXEDEOL", param: None, stage: Frame, origin: EXTENSION, class: Attack,
        en: "Some lines of the head end in CRLF and others in a bare LF, which no client does by itself: a server that \
             does not take both for a line end sees other headers.",
        es: "Unas líneas de la cabecera de la petición terminan en CRLF y otras en un LF suelto, cosa que ningún \
             cliente hace por sí solo: un servidor que no tome ambos por fin de línea ve otras cabeceras.",
        example: "GET /a HTTP/1.1\r\nHost: ex.com\nAccept: */*\r\n\r\n",
    }
    MixedScript {
        name: "MIXEDSCRIPT", param: None, stage: Content, origin: CHARACTERS, class: Odd,
        en: "Letters of two or more of the configured scripts in one run: a unit such as `μm`, or a homograph such as \
             `pаypal` with a Cyrillic а.",
        es: "Letras de dos o más de los alfabetos configurados en una misma secuencia: una unidad como `μm`, o un \
             homógrafo como `pаypal` con а cirílica.",
        example: "GET /p%D0%B0ypal HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    }
    MpBoundary {
        name: "MPBOUNDARY", param: None, stage: Body, origin: EXTENSION, class: Odd,
        en: "The boundary of a multipart body is missing, illegal, ambiguous or not used as announced: parsers then \
             split the parts differently, and one may go unseen past a filter.",
        es: "El delimitador de un cuerpo multipart falta, es ilegal o ambiguo, o no se usa como se anunció: cada \
             analizador separa entonces las partes a su modo, y alguna puede pasar sin que un filtro la vea.",
        example: post!(
            "multipart/form-data",
            59,
            "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--b--\r\n"
        ),
    }
    MpDupName {
        name: "MPDUPNAME", param: Key, stage: Body, origin: EXTENSION, class: Odd,
        en: "Several parts of a multipart body have this name: a choice of several files, or parameter pollution, \
             since servers differ in which part they take.",
        es: "Varias partes de un cuerpo multipart llevan este nombre: una selección de varios archivos, o \
             contaminación de parámetros, ya que cada servidor toma una parte distinta.",
        example: post!(
            "multipart/form-data; boundary=b",
            111,
            "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--b\r\n\
             Content-Disposition: form-data; name=\"a\"\r\n\r\n2\r\n--b--\r\n"
        ),
    }
    MpHeader {
        name: "MPHEADER", param: None, stage: Body, origin: EXTENSION, class: Odd,
        en: "The headers of a part of a multipart body are not those that browsers write, but missing, folded, \
             repeated, malformed or foreign: parsers then disagree on its name or file name.",
        es: "Las cabeceras de una parte de un cuerpo multipart no son las que escriben los navegadores: faltan, están \
             plegadas, repetidas o mal formadas, o son ajenas, y los analizadores no coinciden en su nombre o en el \
             del archivo.",
        example: post!(
            "multipart/form-data; boundary=b",
            70,
            "--b\r\nContent-Disposition: form-data; name=\"a\"\r\nX-Test: 1\r\n\r\n1\r\n--b--\r\n"
        ),
    }
    MultiEnc {
        name: "MULTIENC", param: Key, stage: Query, origin: ENCODINGS, switch: false, class: Odd,
        en: "The value of this key still holds a valid `%hh` after one decoding pass: it says where the double \
             encoding is.",
        es: "El valor de esta clave conserva un `%hh` válido tras una pasada de decodificación: indica dónde está la \
             doble codificación.",
        example: "GET /a?q=%253Cb HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    }
    MultipleSlash {
        name: "MULTIPLESLASH", param: None, stage: Path, origin: SLASH_DOT, class: Odd,
        en: "Repeated slashes in the path were collapsed: URLs joined carelessly, or a path written so that an access \
             rule does not match.",
        es: "Se colapsaron barras repetidas del path: URL unidas sin cuidado, o un path escrito para que no coincida \
             con una regla de acceso.",
        example: "GET /a//b HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    }
    Nul {
        name: "NUL", param: None, stage: Content, origin: CHARACTERS, class: Attack,
        en: "A NUL character: in C code it ends the string, so that a check and the file system see different names.",
        es: "Un carácter NUL: en código C termina la cadena, de modo que la comprobación y el sistema de archivos ven \
             nombres distintos.",
        example: "GET /a%00 HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    }
    ObsFold {
        name: "OBSFOLD", param: None, stage: Unfold, origin: FOLDED_LINES, class: Odd,
        en: "A header went on in a continuation line, a form that HTTP forbids today: an ancient client, or a payload \
             split across lines.",
        es: "Una cabecera seguía en una línea de continuación, forma que HTTP ya prohíbe: un cliente muy antiguo, o \
             una carga partida en varias líneas.",
        example: "GET /a HTTP/1.1\r\nHost: ex.com\r\nX-Test: a\r\n b\r\n\r\n",
    }
    Paren {
        name: "PAREN", param: None, stage: Content, origin: CHARACTERS, class: Odd,
        en: "`(` or `)` in decoded content: ordinary in text, and needed by every function call of an SQL, script or \
             template injection.",
        es: "`(` o `)` en el contenido ya decodificado: corriente en un texto, e imprescindible en toda llamada a \
             función de una inyección de SQL, de scripts o de plantillas.",
        example: "GET /a?q=f(x) HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    }
    PctBackslash {
        name: "PCTBACKSLASH", param: None, stage: Path, origin: PERCENT, class: Odd,
        en: "The path keeps a `%5C`: some servers turn it into a separator after the access check.",
        es: "El path conserva un `%5C`: algunos servidores lo convierten en separador después de comprobar el acceso.",
        example: "GET /a%5Cb HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    }
    PctSlash {
        name: "PCTSLASH", param: None, stage: Path, origin: PERCENT, class: Odd,
        en: "The path keeps a `%2F`: some interfaces use it for a slash inside a name, and traversals use it to hide a \
             separator.",
        es: "El path conserva un `%2F`: algunas interfaces lo usan para una barra dentro de un nombre, y los \
             recorridos de directorios, para esconder un separador.",
        example: "GET /a%2Fb/c HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    }
    PctU {
        name: "PCTU", param: None, stage: Decode, origin: EXTENSION, class: Attack,
        en: "A `%u` escape with four hexadecimal digits, which is in no standard and stays as it is: a server that \
             still decodes it sees a character that the filter in front did not.",
        es: "Un escape `%u` con cuatro dígitos hexadecimales, que no está en ningún estándar y se deja tal cual: un \
             servidor que todavía lo decodifique ve un carácter que el filtro de delante no vio.",
        example: "GET /a?q=%u003c HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    }
    PctUnres {
        name: "PCTUNRES", param: None, stage: Decode, origin: EXTENSION, switch: false, class: Attack,
        en: "An ASCII letter or digit was percent-encoded, which no encoder does by itself; decoding restores the \
             plain letter, so the disguise would be lost.",
        es: "Una letra o un dígito ASCII venía codificado con `%`, cosa que ningún codificador hace por sí solo; al \
             decodificar vuelve la letra llana, así que el disfraz se perdería.",
        example: "GET /%61dmin HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    }
    PercentInPath {
        name: "PERCENT_IN_PATH", param: None, stage: Path, origin: CHARACTERS, switch: false, class: Odd,
        en: "A literal `%` is left in the path after decoding: a name such as `100%`, or the start of another layer of \
             encoding.",
        es: "Queda un `%` literal en el path después de decodificar: un nombre como `100%`, o el comienzo de otra capa \
             de codificación.",
        example: "GET /100%25 HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    }
    Pipe {
        name: "PIPE", param: None, stage: Content, origin: CHARACTERS, class: Odd,
        en: "`|` in decoded content: a list separator in honest traffic, a pipeline in a command injection.",
        es: "`|` en el contenido ya decodificado: un separador de listas en el tráfico honesto, una tubería en una \
             inyección de comandos.",
        example: "GET /a?family=A|B HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    }
    PreRedacted {
        name: "PREREDACTED", param: None, stage: Content, origin: EXTENSION, class: Odd,
        en: "The raw request itself contains a placeholder such as `<num:4>`, which is left alone and not inspected: \
             without this flag a forged one would pass for ours.",
        es: "La propia petición cruda contiene un marcador como `<num:4>`, que se deja tal cual y no se inspecciona: \
             sin esta marca, uno falsificado pasaría por nuestro.",
        example: "GET /a?q=<num:4> HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    }
    QArray {
        name: "QARRAY", param: Key, stage: Query, origin: QUERY, class: Odd,
        en: "The key ends in `[]`, the array notation of PHP and Rails; where a string is expected, an array can \
             change a comparison or a database query.",
        es: "La clave termina en `[]`, la notación de arreglos de PHP y Rails; donde se espera una cadena, un arreglo \
             puede alterar una comparación o una consulta.",
        example: "GET /a?items[]=1 HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    }
    QBare {
        name: "QBARE", param: None, stage: Query, origin: QUERY, class: Odd,
        en: "A key without `=`: a plain switch such as `?debug`, or a payload that stands alone.",
        es: "Una clave sin `=`: un simple interruptor como `?debug`, o una carga que viene sola.",
        example: "GET /a?debug HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    }
    QComment {
        name: "QCOMMENT", param: None, stage: Query, origin: EXTENSION, class: Odd,
        en: "The start of an SQL comment in a value of the query or the body (`/*`, or `--` or `#` after a space, \
             quote, digit or parenthesis), which a shape would hide.",
        es: "El comienzo de un comentario SQL en un valor de la query o del cuerpo (`/*`, o bien `--` o `#` tras un \
             espacio, comilla, dígito o paréntesis), que la forma del valor taparía.",
        example: "GET /a?id=1/**/or/**/2 HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    }
    QDotDot {
        name: "QDOTDOT", param: None, stage: Query, origin: EXTENSION, class: Attack,
        en: "`../` or `..\\` in a value of the query or the body: file inclusion and traversal through a parameter, \
             which a shape would hide.",
        es: "`../` o `..\\` en un valor de la query o del cuerpo: inclusión de archivos y recorrido de directorios a \
             través de un parámetro, que la forma del valor taparía.",
        example: "GET /a?file=../../app.log HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    }
    QEmptyVal {
        name: "QEMPTYVAL", param: None, stage: Query, origin: QUERY, class: Odd,
        en: "A key with `=` and nothing behind it: a field left blank, or a check probed with no value.",
        es: "Una clave con `=` y nada detrás: un campo en blanco, o un tanteo de la validación sin valor.",
        example: "GET /a?q= HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    }
    QLong {
        name: "QLONG", param: None, stage: Query, origin: QUERY, class: Odd,
        en: "A value of the query or the body longer than `limits.long_value` bytes after decoding: free text or an \
             upload, or an overflow and padding to get past inspection.",
        es: "Un valor de la query o del cuerpo de más de `limits.long_value` bytes después de decodificar: texto \
             libre o un archivo, o bien un desbordamiento o un relleno para pasar la inspección.",
        example: concat!("GET /a?q=a", x32!(x32!("a")), " HTTP/1.1\r\nHost: ex.com\r\n\r\n"),
    }
    QNonAscii {
        name: "QNONASCII", param: None, stage: Query, origin: QUERY, class: Odd,
        en: "A key, a name or a value of the query or the body with characters outside ASCII: ordinary in most \
             languages, and the ground of look-alikes and odd case mappings.",
        es: "Una clave, un nombre o un valor de la query o del cuerpo con caracteres fuera de ASCII: corriente en \
             casi todos los idiomas, y terreno de letras parecidas y de conversiones raras de mayúsculas.",
        example: "GET /a?q=ma%C3%B1ana HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    }
    QNul {
        name: "QNUL", param: None, stage: Query, origin: QUERY, class: Attack,
        en: "A NUL character in a value of the query or the body, usually meant to cut off an extension that the \
             application appends.",
        es: "Un carácter NUL en un valor de la query o del cuerpo, casi siempre para cortar una extensión que agrega \
             la aplicación.",
        example: "GET /a?q=a%00 HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    }
    QRawSemi {
        name: "QRAWSEMI", param: None, stage: Query, origin: SEPARATORS, class: Odd,
        en: "`;` in the query was read as content; a server that splits there sees other parameters than this document \
             shows.",
        es: "Un `;` de la query se leyó como contenido; un servidor que corte allí verá parámetros \
             distintos de los de este documento.",
        example: "GET /a?expr=a;b=c HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    }
    QRepeat {
        name: "QREPEAT", param: Key, stage: Query, origin: QUERY, class: Odd,
        en: "The key occurs twice or more: a multiple choice, or parameter pollution, since servers differ in which \
             value they take.",
        es: "La clave aparece dos o más veces: una opción múltiple, o contaminación de parámetros, ya que cada \
             servidor toma un valor distinto.",
        example: "GET /a?k=1&k=2 HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    }
    QSemiSep {
        name: "QSEMISEP", param: None, stage: Query, origin: SEPARATORS, class: Odd,
        en: "`;` was read as a separator of pairs; a server that splits only at `&` sees fewer and longer values.",
        es: "El `;` se leyó como separador de pares; un servidor que solo corte en `&` verá menos valores y más \
             largos.",
        example: "GET /a?x=1;y=2;z=3 HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    }
    Quote {
        name: "QUOTE", param: None, stage: Content, origin: CHARACTERS, class: Odd,
        en: "`'` or `\"` in decoded content: an apostrophe in a name, or the end of a string in an SQL or script \
             injection.",
        es: "`'` o `\"` en el contenido ya decodificado: un apóstrofo en un nombre, o el cierre de una cadena en una \
             inyección de SQL o de scripts.",
        example: "GET /a?name=O'Brien HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    }
    Semicolon {
        name: "SEMICOLON", param: None, stage: Content, origin: CHARACTERS, class: Odd,
        en: "`;` in decoded content: a path parameter or punctuation, or the end of one command and the start of the \
             next.",
        es: "`;` en el contenido ya decodificado: un parámetro de path o un signo de puntuación, o el fin de un \
             comando y el comienzo del siguiente.",
        example: "GET /a;v=1 HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    }
    Space {
        name: "SPACE", param: None, stage: Content, origin: CHARACTERS, class: Odd,
        en: "A space in the path, the host, a key or a name in the body: a file name with spaces, or a payload put \
             where names belong.",
        es: "Un espacio en el path, el host, una clave o un nombre del cuerpo: un nombre de archivo con espacios, o \
             una carga puesta donde van los nombres.",
        example: "GET /a%20b HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    }
    TabSep {
        name: "TABSEP", param: None, stage: Frame, origin: EXTENSION, class: Attack,
        en: "A tab, or several spaces in a row, in the request line, where single spaces belong: servers disagree on \
             where the target begins and ends, which evades access rules.",
        es: "Una tabulación o varios espacios seguidos en la línea de petición, donde van espacios simples: los \
             servidores no coinciden en dónde empieza y termina el destino, y así se eluden reglas de acceso.",
        example: "GET \t/a HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    }
    TeBad {
        name: "TEBAD", param: None, stage: Frame, origin: EXTENSION, class: Attack,
        en: "A Transfer-Encoding that is not one plain `chunked`: some servers obey a disguised one and others \
             overlook it, and a request is smuggled between them.",
        es: "Un Transfer-Encoding que no es un único `chunked` llano: unos servidores obedecen a uno disfrazado y \
             otros lo pasan por alto, y entre ambos se cuela una petición de contrabando.",
        example: "POST /a HTTP/1.1\r\nHost: ex.com\r\nTransfer-Encoding: identity, chunked\r\n\r\n\
                  3\r\nabc\r\n0\r\n\r\n",
    }
    Truncated {
        name: "TRUNCATED", param: None, stage: Frame, origin: EXTENSION, class: Odd,
        en: "The input ended before the head did, or the body was announced longer than what can be read: what the \
             document lacks may never have arrived.",
        es: "La entrada terminó antes que la cabecera de la petición, o se anunció un cuerpo más largo de lo que se \
             puede leer: lo que falta en el documento quizá nunca llegó.",
        example: "GET /a HTTP/1.1\r\nHost: ex.com\r\n",
    }
    UaTrunc {
        name: "UATRUNC", param: None, stage: Headers, origin: EXTENSION, class: Odd,
        en: "The user agent had more tokens than `limits.user_agent_tokens` and the rest was left out: padding in \
             front could otherwise hide a scanner's name.",
        es: "El user-agent tenía más tokens que `limits.user_agent_tokens` y el resto se omitió: de otro modo, un \
             relleno delante podría esconder el nombre de un escáner.",
        example: "GET /a HTTP/1.1\r\nHost: ex.com\r\n\
                  User-Agent: a/1 b/2 c/3 d/4 e/5 f/6 g/7 h/8 i/9 j/10 k/11 l/12 m/13\r\n\r\n",
    }
    UnkHdr {
        name: "UNKHDR", param: Header, stage: Headers, origin: ODDITIES, switch: false, class: Odd,
        en: "A header that is neither registered nor listed in `headers.known`: an in-house extension, or an attempt \
             at overriding something behind the proxy.",
        es: "Una cabecera que no está registrada ni figura en `headers.known`: una extensión propia, o un intento de \
             anular algo detrás del proxy.",
        example: "GET /a HTTP/1.1\r\nHost: ex.com\r\nX-Unheard-Of: 1\r\n\r\n",
    }
    UserInfo {
        name: "USERINFO", param: None, stage: Target, origin: EXTENSION, class: Attack,
        en: "User information before an `@` in the target, in Host or in a URL inside the path: it is redacted, and \
             HTTP forbids sending it; it serves to disguise the real host.",
        es: "Información de usuario antes de una `@` en el destino, en Host o en una URL dentro del path: se oculta, y \
             HTTP prohíbe enviarla; sirve para disfrazar el host verdadero.",
        example: "GET http://user:pw@ex.com/a HTTP/1.1\r\nHost: ex.com\r\n\r\n",
    }
    WsPad {
        name: "WSPAD", param: None, stage: Unfold, origin: WHITE_SPACE, class: Odd,
        en: "A run of white space in a header was collapsed or its border trimmed: careless formatting, or padding \
             against pattern matching.",
        es: "Se colapsó una serie de espacios en una cabecera o se recortó su borde: formato descuidado, o relleno \
             contra la búsqueda de patrones.",
        example: "GET /a HTTP/1.1\r\nHost: ex.com\r\nX-Test: a  b\r\n\r\n",
    }
    Xff {
        name: "XFF", param: None, stage: Headers, origin: HEADER_VALUES, class: Context,
        en: "An `x-forwarded-for` or `forwarded` header is there: proxies add it, and a client can also write it to \
             claim another address.",
        es: "Hay una cabecera `x-forwarded-for` o `forwarded`: la agregan los proxies, y un cliente también puede \
             escribirla para atribuirse otra dirección.",
        example: "GET /a HTTP/1.1\r\nHost: ex.com\r\nX-Forwarded-For: 203.0.113.7\r\n\r\n",
    }
    XmlCdata {
        name: "XMLCDATA", param: None, stage: Body, origin: EXTENSION, class: Odd,
        en: "A CDATA section in an XML body: a proper way to quote text with markup characters, and a way to carry \
             markup or a split keyword past a filter.",
        es: "Una sección CDATA en un cuerpo XML: una manera correcta de citar texto con caracteres de marcado, y \
             también de pasarle a un filtro marcado o una palabra clave partida.",
        example: post!("application/xml", 20, "<a><![CDATA[1]]></a>"),
    }
    XmlDepth {
        name: "XMLDEPTH", param: None, stage: Body, origin: EXTENSION, class: Odd,
        en: "XML nested deeper than `limits.body_depth`, or under too long a path, is written as one element: hardly \
             any document needs that, and a parser that recurses may run out of stack.",
        es: "Un XML anidado más allá de `limits.body_depth`, o bajo una ruta demasiado larga, se escribe como un solo \
             elemento: casi ningún documento lo necesita, y un analizador recursivo puede agotar la pila.",
        example: post!("application/xml", 456, concat!(x32!("<a><a>"), "<a>1</a>", x32!("</a></a>"))),
    }
    XmlDocType {
        name: "XMLDOCTYPE", param: None, stage: Body, origin: EXTENSION, class: Odd,
        en: "An XML body has a document type declaration, which data hardly ever needs: it is where entities are \
             declared, so attacks through them begin with it.",
        es: "Un cuerpo XML trae una declaración de tipo de documento, que los datos casi nunca necesitan: ahí se \
             declaran las entidades, así que los ataques que las usan empiezan por ella.",
        example: post!("application/xml", 16, "<!DOCTYPE a><a/>"),
    }
    XmlEntity {
        name: "XMLENTITY", param: None, stage: Body, origin: EXTENSION, class: Attack,
        en: "An XML body declares an entity or refers to one that is not predefined: entities can read files, call \
             other servers or expand until memory runs out.",
        es: "Un cuerpo XML declara una entidad o hace referencia a una que no es predefinida: las entidades pueden \
             leer archivos, llamar a otros servidores o expandirse hasta agotar la memoria.",
        example: post!("application/xml", 40, "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>"),
    }
    XmlEsc {
        name: "XMLESC", param: None, stage: Body, origin: EXTENSION, class: Odd,
        en: "A printable ASCII character is written as a numeric reference in XML: some encoders do so with quotes, \
             and an evasion does it to keep a keyword from a filter.",
        es: "Un carácter ASCII imprimible viene escrito como referencia numérica en XML: algunos codificadores lo \
             hacen con las comillas, y una evasión, para que un filtro no vea una palabra clave.",
        example: post!("application/xml", 12, "<a>&#60;</a>"),
    }
    XmlExternal {
        name: "XMLEXTERNAL", param: None, stage: Body, origin: EXTENSION, class: Attack,
        en: "An XML body points outside itself, with `SYSTEM` or `PUBLIC`, an include or a style sheet: a parser that \
             follows it fetches files and URLs on behalf of the sender.",
        es: "Un cuerpo XML apunta fuera de sí mismo, con `SYSTEM` o `PUBLIC`, una inclusión o una hoja de estilo: un \
             analizador que lo siga trae archivos y URL por encargo de quien lo envió.",
        example: post!("application/xml", 64, "<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><a>&b;</a>"),
    }
}

impl Flag {
    /// The flag's row in the table.
    ///
    /// ```
    /// use tamiz::{Class, Flag};
    /// assert_eq!(Flag::Angle.row().class, Class::Attack);
    /// ```
    #[must_use]
    pub fn row(self) -> &'static FlagRow {
        &FLAGS[self as usize]
    }

    /// The name, as written in documents.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The flag of that name.
    ///
    /// ```
    /// use tamiz::Flag;
    /// assert_eq!(Flag::from_name("ANGLE"), Some(Flag::Angle));
    /// assert_eq!(Flag::from_name("angle"), None);
    /// ```
    #[must_use]
    pub fn from_name(name: &str) -> Option<Flag> {
        FLAGS.binary_search_by(|row| row.name.cmp(name)).ok().map(|i| FLAGS[i].flag)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text that a flag begins with in a document.
    fn full_text(row: &FlagRow) -> String {
        if row.param == Param::None { row.name.to_owned() } else { format!("{}:", row.name) }
    }

    #[test]
    fn order_is_that_of_the_roll_up() {
        for pair in FLAGS.windows(2) {
            assert!(full_text(&pair[0]) < full_text(&pair[1]), "{} stands before {}", pair[0].name, pair[1].name);
            // `from_name` searches by the bare name, so that order has to hold too; it implies that names are unique.
            assert!(pair[0].name < pair[1].name, "{} stands before {}", pair[0].name, pair[1].name);
        }
    }

    #[test]
    fn rows_stand_where_their_flag_points() {
        assert!(FLAGS.len() <= 128, "a set of flags is to fit 128 bits");
        for (i, row) in FLAGS.iter().enumerate() {
            assert_eq!(row.flag as usize, i, "{}", row.name);
            assert_eq!(Flag::from_name(row.name), Some(row.flag));
            assert_eq!(row.flag.name(), row.name);
        }
        for unknown in ["", "ANGL", "ANGLES", "angle", "COOKIE:", "COOKIE:2", "ZZZ"] {
            assert_eq!(Flag::from_name(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn names_are_upper_case_words() {
        for row in FLAGS {
            let legal = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
            assert!(!row.name.is_empty() && row.name.chars().all(legal), "{:?}", row.name);
            let variant = format!("{:?}", row.flag).to_ascii_uppercase();
            assert_eq!(variant, row.name.replace('_', ""), "the variant is the name in other letters");
        }
    }

    #[test]
    fn every_field_is_filled() {
        for row in FLAGS {
            for text in [row.en, row.es] {
                assert!(text.len() > 20 && text.ends_with('.'), "{}: {text}", row.name);
                assert!(text.trim() == text && !text.contains('\n') && !text.contains("  "), "{}: {text}", row.name);
                assert!(text.matches('`').count().is_multiple_of(2), "{}: {text}", row.name);
                assert!(!text.contains(". "), "{}: one sentence: {text}", row.name);
            }
            assert_ne!(row.en, row.es, "{}", row.name);
            if let Origin::Original(file) = row.origin {
                assert!(!file.is_empty() && !file.ends_with(".md"), "{}", row.name);
            }
        }
    }

    #[test]
    fn sentences_and_examples_are_their_own() {
        let mut seen = std::collections::BTreeSet::new();
        for text in FLAGS.iter().flat_map(|row| [row.en, row.es, row.example]) {
            assert!(seen.insert(text), "twice: {text}");
        }
    }

    #[test]
    fn examples_are_requests() {
        for row in FLAGS {
            let line = row.example.split("\r\n").next().unwrap_or_default();
            assert!(line.starts_with("GET ") || line.starts_with("POST "), "{}: {line}", row.name);
            assert!(line.contains(" HTTP/"), "{}: {line}", row.name);
            assert!(row.example.contains("\r\nHost: "), "{}", row.name);
            let complete = row.example.contains("\r\n\r\n");
            assert_eq!(complete, row.flag != Flag::Truncated, "{}", row.name);
        }
    }

    #[test]
    fn long_examples_are_just_long_enough() {
        assert_eq!(Flag::QLong.row().example.matches('a').count() - "/a".matches('a').count(), 1025);
        assert_eq!(Flag::HLong.row().example.matches("a1").count() * 2, 16 * 1024 + 2);
        assert_eq!(Flag::FlagOverflow.row().example.matches("[]=1").count(), 70);
        assert_eq!(Flag::BodyCut.row().example.matches([',', ']']).count(), 4097);
        assert_eq!(Flag::JsonDepth.row().example.matches('[').count(), 65);
        assert_eq!(Flag::XmlDepth.row().example.matches("<a>").count(), 65);
    }

    #[test]
    fn examples_announce_the_length_of_their_body() {
        let wrong_on_purpose = [Flag::ClBad, Flag::ClConflict, Flag::ExtraData];
        for row in FLAGS.iter().filter(|row| !wrong_on_purpose.contains(&row.flag)) {
            let (head, body) = row.example.split_once("\r\n\r\n").unwrap_or((row.example, ""));
            let announced = head.lines().find_map(|line| line.strip_prefix("Content-Length: "));
            let chunked = head.contains("\r\nTransfer-Encoding: ");
            let expected = if body.is_empty() || chunked && announced.is_none() { None } else { Some(body.len()) };
            assert_eq!(announced.map(str::to_owned), expected.map(|length| length.to_string()), "{}", row.name);
        }
    }

    #[test]
    fn context_is_what_the_contract_lists() {
        let context: Vec<_> = FLAGS.iter().filter(|row| row.class == Class::Context).map(|row| row.name).collect();
        assert_eq!(context, ["COOKIE", "HOME", "HOPBYHOP", "HTTP10", "XFF"]);
    }

    #[test]
    fn switches_are_what_the_contract_lists() {
        let switches: Vec<_> = FLAGS.iter().filter(|row| row.switch).map(|row| row.name).collect();
        let listed = ["COOKIE", "DOTCUR", "DOTDOTN", "JWT", "MULTIENC", "PCTUNRES", "PERCENT_IN_PATH", "UNKHDR"];
        assert_eq!(switches, listed);
        let on: Vec<_> = FLAGS.iter().filter(|row| row.switch && row.default).map(|row| row.name).collect();
        assert_eq!(on, ["COOKIE", "DOTCUR"]);
        assert!(FLAGS.iter().all(|row| row.switch || row.default), "what is no switch is always on");
    }
}
