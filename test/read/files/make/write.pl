# Excel::Writer::XLSX, Spreadsheet::WriteExcel and Text::CSV write the topics: topics.py | perl write.pl FOLDER
use strict;
use warnings;
use utf8;
use B;
use JSON::PP;
use Excel::Writer::XLSX;
use Spreadsheet::WriteExcel;
use Text::CSV;

my $folder = shift;
my $topics = do { local $/; JSON::PP->new->utf8->decode(<STDIN>) };
mkdir "$folder/$_" for qw(excel-writer-xlsx text-csv spreadsheet-writeexcel);

sub text_of { my $c = shift; return $c->{r} ? join('', map { $_->[0] } @{ $c->{r} }) : $c->{s} }

sub write_cell {
    my ($book, $sheet, $r, $c, $one) = @_;
    my $p = ref $one eq 'HASH' ? $one : JSON::PP::is_bool($one) || !is_text($one) ? { n => $one } : { s => $one };
    my $style = $p->{f} ? $book->add_format(num_format => $p->{f}) : undef;
    if    (exists $p->{x}) { $sheet->write_formula($r, $c, "=$p->{x}", $style, JSON::PP::is_bool($p->{v}) ? ($p->{v} ? 'TRUE' : 'FALSE') : $p->{v}) }
    elsif (exists $p->{l}) { $sheet->write_url($r, $c, $p->{l}, $style, $p->{s}) }
    elsif (exists $p->{e}) { $sheet->write_formula($r, $c, $p->{e} eq '#N/A' ? '=NA()' : '=1/0', $style, $p->{e}) }
    elsif (exists $p->{d}) { $sheet->write_date_time($r, $c, $p->{d}, $style) }
    elsif (exists $p->{n}) { JSON::PP::is_bool($p->{n}) ? $sheet->write_boolean($r, $c, $p->{n} ? 1 : 0) : $sheet->write_number($r, $c, $p->{n}, $style) }
    elsif (defined text_of($p)) { $sheet->write_string($r, $c, text_of($p), $style) }
    $sheet->write_comment($r, $c, $p->{c}) if exists $p->{c};
}

sub is_text { my $flags = B::svref_2object(\$_[0])->FLAGS; return $flags & B::SVf_POK() }

sub write_book {
    my ($book, $topic) = @_;
    $book->set_1904() if $topic->{date1904};
    for my $spec (@{ $topic->{sheets} }) {
        my $sheet = $book->add_worksheet($spec->{name});
        $sheet->hide() if ($spec->{state} // '') eq 'hidden';
        if ($spec->{active}) { $sheet->activate(); $sheet->set_first_sheet() }
        my $r = 0;
        for my $row (@{ $spec->{rows} }) {
            my $c = 0;
            for my $one (@$row) { write_cell($book, $sheet, $r, $c, $one) if defined $one; $c++ }
            $r++;
        }
        for my $area (@{ $spec->{merged} // [] }) {
            my ($col, $row) = $area =~ /^([A-Z])(\d+)/;
            $sheet->merge_range($area, $spec->{rows}[$row - 1][ord($col) - 65], $book->add_format());
        }
        $sheet->set_row($_ - 1, undef, undef, 1) for @{ $spec->{hiddenRows} // [] };
        $sheet->set_row($_ - 1, 0) for @{ $spec->{flatRows} // [] };
        $sheet->set_column("$_:$_", undef, undef, 1) for @{ $spec->{hiddenColumns} // [] };
        $sheet->autofilter($spec->{filter}) if $spec->{filter};
    }
    $book->close();
}

for my $name (qw(numbers formats money dates dates1904 masks texts codes results links layout sheets truths)) {
    write_book(Excel::Writer::XLSX->new("$folder/excel-writer-xlsx/$name.xlsx"), $topics->{$name});
}
write_book(Spreadsheet::WriteExcel->new("$folder/spreadsheet-writeexcel/numbers.xls"), $topics->{numbers});
write_book(Spreadsheet::WriteExcel->new("$folder/spreadsheet-writeexcel/dates.xls"), $topics->{dates});

my $rows = $topics->{texts}{sheets}[0]{rows};
my %ways = (
    'texts.csv'      => { binary => 1, eol => "\n" },
    'crlf-all.csv'   => { binary => 1, eol => "\r\n", always_quote => 1, sep_char => ';' },
    'space-free.csv' => { binary => 1, eol => "\n", quote_space => 0, quote_empty => 1 },
);
for my $file (sort keys %ways) {
    my $csv = Text::CSV->new($ways{$file});
    open my $out, '>:encoding(UTF-8)', "$folder/text-csv/$file" or die;
    $csv->print($out, $_) for @$rows;
}
