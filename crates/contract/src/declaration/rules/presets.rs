//! The rules of presets: every stream, view and field they name exists, and no stream comes twice.

use super::super::fault::{DeclarationFaultCode as Code, Faults};
use super::super::pointer::Pointer;
use super::super::source::{PresetStream, SelectionPreset};
use super::{Streams, known_fields, no_repeats};

/// Reports what is wrong with the presets.
pub(super) fn check(presets: &[SelectionPreset], streams: &Streams<'_>, faults: &mut Faults) {
    let at = Pointer::ROOT.member("selection_presets");
    let ids = presets.iter().map(|preset| preset.id.as_str());
    no_repeats(ids, Code::DuplicatePresetId, "id", &at, faults);
    for (index, preset) in presets.iter().enumerate() {
        let at = at.item(index);
        let list = at.member("streams");
        let names = preset.streams.iter().map(|chosen| chosen.name.as_str());
        no_repeats(names, Code::DuplicatePresetStreamName, "name", &list, faults);
        for (index, chosen) in preset.streams.iter().enumerate() {
            preset_stream(chosen, streams, &list.item(index), faults);
        }
    }
}

fn preset_stream(
    chosen: &PresetStream,
    streams: &Streams<'_>,
    at: &Pointer<'_>,
    faults: &mut Faults,
) {
    let Some(stream) = streams.get(chosen.name.as_str()) else {
        return faults.add(Code::UnknownStream, &at.member("name"), &chosen.name);
    };
    if let Some(view) = &chosen.view
        && !stream.views.iter().any(|known| known.id == *view)
    {
        faults.add(Code::UnknownView, &at.member("view"), view);
    }
    if let Some(fields) = &chosen.fields {
        known_fields(stream, fields, &at.member("fields"), faults);
    }
}
