//! Colour, where a terminal shows it.

use clap::ColorChoice;
use clap::builder::styling::{AnsiColor, Style};
use std::io::{self, IsTerminal};
use tamiz::Class;

/// The styles of the run; all of them empty where there is no colour.
#[derive(Debug)]
pub(crate) struct Paint {
    pub(crate) strong: Style,
    pub(crate) faint: Style,
    pub(crate) removed: Style,
    pub(crate) added: Style,
    odd: Style,
    attack: Style,
}

impl Paint {
    pub(crate) fn new(choice: ColorChoice) -> Paint {
        let on = wanted(choice);
        let style = |style: Style| if on { style } else { Style::new() };
        Paint {
            strong: style(Style::new().bold()),
            faint: style(Style::new().dimmed()),
            removed: style(AnsiColor::Red.on_default()),
            added: style(AnsiColor::Green.on_default()),
            odd: style(AnsiColor::Yellow.on_default()),
            attack: style(AnsiColor::Red.on_default().bold()),
        }
    }

    pub(crate) fn class(&self, class: Class) -> Style {
        match class {
            Class::Context => self.faint,
            Class::Odd => self.odd,
            Class::Attack => self.attack,
        }
    }
}

/// Whether standard output gets colour.
pub(crate) fn wanted(choice: ColorChoice) -> bool {
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => terminal_wants_colour(),
    }
}

/// <https://no-color.org>: any value but the empty one turns colour off.
fn terminal_wants_colour() -> bool {
    let says = |name: &str, value: &str| std::env::var_os(name).is_some_and(|v| v == value);
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
    !no_color && !says("TERM", "dumb") && io::stdout().is_terminal()
}
