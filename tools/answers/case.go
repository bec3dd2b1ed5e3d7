package main

import "context"

type caseRow struct {
	ID, Half string
	Right    bool
}

func askCases(ctx context.Context, o options) ([]caseRow, error) { return nil, nil }
func caseDetail(rows []caseRow) string                           { return "" }
func caseTable(rows []caseRow) string                            { return "" }
