//! What stages change on the way from a request to its document: one row a kind of change, for `explain`.

use crate::table::flags::Stage;

macro_rules! changes {
    ($($variant:ident $stage:ident $en:literal $es:literal)*) => {
        /// A kind of change that a stage makes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Change {
            $(#[doc = $en] $variant,)*
        }

        impl Change {
            /// The stage that makes it.
            #[must_use]
            pub const fn stage(self) -> Stage {
                match self {
                    $(Change::$variant => Stage::$stage,)*
                }
            }

            /// What was done, in English.
            #[must_use]
            pub const fn en(self) -> &'static str {
                match self {
                    $(Change::$variant => $en,)*
                }
            }

            /// What was done, in Spanish.
            #[must_use]
            pub const fn es(self) -> &'static str {
                match self {
                    $(Change::$variant => $es,)*
                }
            }
        }
    };
}

changes! {
    RequestLine Frame "read the request line" "leyó la línea de petición"
    HeaderLines Frame "found the header lines" "encontró las líneas de cabecera"
    BodyFound Frame "took what follows the head as the body" "tomó como cuerpo lo que sigue al bloque de cabeceras"
    Unfolded Unfold "joined a continuation line with one space" "unió una línea de continuación con un espacio"
    LineEndReplaced Unfold "replaced an embedded CR or LF by a space" "reemplazó un CR o LF incrustado por un espacio"
    SpaceCollapsed Unfold "collapsed or trimmed white space" "colapsó o recortó espacios en blanco"
    ContinuationIgnored Unfold "ignored a continuation line that continues nothing" "ignoró una línea de continuación sin cabecera previa"
    OriginForm Target "read the target in origin form" "leyó el destino en forma de origen"
    AbsoluteForm Target "read the target in absolute form" "leyó el destino en forma absoluta"
    AuthorityForm Target "read the target in authority form" "leyó el destino en forma de autoridad"
    SlashAdded Target "put a slash in front of the path" "antepuso una barra al path"
    HostRead Target "read a host" "leyó un host"
    ReplacedInvalid Decode "replaced bytes that are not UTF-8 by U+FFFD" "reemplazó por U+FFFD los bytes que no son UTF-8"
    Normalised Decode "applied NFKC" "aplicó NFKC"
    PercentDecoded Decode "decoded a percent escape" "decodificó una secuencia %HH"
    DelimiterPreserved Decode "left an encoded slash or backslash encoded" "dejó codificada una barra o barra invertida"
    UndecodableKept Decode "left a percent escape that is not UTF-8 as it is" "dejó como está una secuencia %HH que no es UTF-8"
    PlusDecoded Decode "read a plus sign in a form as a space" "leyó un signo más de un formulario como espacio"
    ReferenceDecoded Decode "decoded an HTML character reference" "decodificó una referencia de carácter HTML"
    SlashesCollapsed Path "dropped an empty segment" "quitó un segmento vacío"
    DotDropped Path "dropped a `.` segment" "quitó un segmento `.`"
    TrailingSlashDropped Path "dropped the trailing slash" "quitó la barra final"
    PairRead Query "read a pair" "leyó un par"
    HeaderMerged Headers "joined a repeated header into one line" "unió una cabecera repetida en una línea"
    HeaderMoved Headers "sorted a header to another place" "cambió de lugar una cabecera al ordenarlas"
    ValueNormalised Headers "rewrote a value in its canonical form" "reescribió un valor en su forma canónica"
    Dechunked Body "joined the chunks of the body" "unió los chunks del cuerpo"
    CodingUndone Body "undid a content coding" "deshizo una codificación de contenido"
    BomDropped Body "dropped the byte order mark" "quitó la marca de orden de bytes"
    FieldRead Body "read a field of the body" "leyó un campo del cuerpo"
    EscapeUndone Body "undid a JSON escape" "deshizo un escape de JSON"
    GraphqlRead Body "read a GraphQL document" "leyó un documento GraphQL"
    Inspected Body "looked at text that is shown nowhere" "examinó texto que no se muestra"
    NotEntered Body "passed over what is nested too deep" "pasó por alto lo que está anidado en exceso"
    LineEndDropped Body "dropped the line end after the form" "quitó el fin de línea tras el formulario"
    Shaped Redact "replaced a word of a header by its shape" "reemplazó una palabra de una cabecera por su forma"
    Withheld Redact "kept back a value that may hold a secret" "reservó un valor que puede contener un secreto"
    Redacted Redact "redacted a secret" "ocultó un secreto"
}
