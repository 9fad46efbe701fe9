//! Every buffer that a request needs, kept from one request to the next: a warm engine does not allocate.

use crate::findings::Findings;
use crate::settings::Settings;
use crate::stage::body::BodyScratch;
use crate::stage::decode::Layers;
use crate::stage::frame::Frame;
use crate::stage::headers::Headers;
use crate::stage::host::Host;
use crate::stage::path::PathScratch;
use crate::stage::query::Pairs;
use crate::stage::redact::Redact;
use crate::stage::rollup::Rollup;
use crate::stage::unfold::Fields;

pub(crate) struct Scratch {
    pub(crate) frame: Frame,
    pub(crate) fields: Fields,
    pub(crate) layers: Layers,
    pub(crate) redact: Redact,
    pub(crate) findings: Findings,
    pub(crate) path_scratch: PathScratch,
    pub(crate) query: Pairs,
    pub(crate) body: BodyScratch,
    pub(crate) hosts: Vec<Host>,
    pub(crate) headers: Headers,
    pub(crate) rollup: Rollup,
}

impl Scratch {
    pub(crate) fn new(settings: &Settings) -> Scratch {
        Scratch {
            frame: Frame::default(),
            fields: Fields::default(),
            layers: Layers::default(),
            redact: Redact::default(),
            findings: Findings::new(settings.flags),
            path_scratch: PathScratch::default(),
            query: Pairs::default(),
            body: BodyScratch::default(),
            hosts: Vec::new(),
            headers: Headers::default(),
            rollup: Rollup::default(),
        }
    }

    /// Makes ready for a request; `traced` keeps track of where everything came from.
    pub(crate) fn clear(&mut self, traced: bool) {
        self.fields.clear(traced);
        self.layers.trace(traced);
        self.redact.clear();
        self.findings.clear(traced);
    }
}
